/// Options of a decoder that has none.
public struct NoOptions: Hashable, Sendable {
  /// The only value.
  public init() {}
}

/// Leaves the bytes as they are.
public struct RawDecoder: ResourceDecoder {
  /// A decoder.
  public init() {}

  /// Returns `bytes`, without copying.
  public func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> [UInt8] { bytes }

  /// The number of bytes.
  public func cost(of value: [UInt8]) -> Int { value.count }

  /// Nothing: the value is the body itself.
  public func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int { 0 }
}
