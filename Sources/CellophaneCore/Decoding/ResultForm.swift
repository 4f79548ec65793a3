/// The form in which decoded values are stored on disk.
public struct ResultForm<Value: Sendable>: Sendable {
  /// Identifies the decoder, the options and the form itself, in all processes: two decoders may share a cache. A decoder whose
  /// results change must change it.
  public let name: String
  /// Returns the bytes of a value; nil for a value that is not stored.
  public let encode: @Sendable (Value) -> [UInt8]?
  /// Returns the value of stored bytes; nil if they are damaged.
  public let decode: @Sendable ([UInt8]) -> Value?

  /// Creates a form.
  public init(
    name: String, encode: @escaping @Sendable (Value) -> [UInt8]?,
    decode: @escaping @Sendable ([UInt8]) -> Value?
  ) {
    (self.name, self.encode, self.decode) = (name, encode, decode)
  }
}
