/// The options of a decoder without options.
public struct NoOptions: Hashable, Sendable {
  /// Creates the only value.
  public init() {}
}

/// A decoder that returns the bytes of the response unchanged.
public struct RawDecoder: ResourceDecoder {
  /// Creates a decoder.
  public init() {}

  /// Returns `bytes` without copying.
  public func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> [UInt8] { bytes }

  /// Returns the number of bytes.
  public func cost(of value: [UInt8]) -> Int { value.count }

  /// Returns 0: the value is the body itself.
  public func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { 0 }
}
