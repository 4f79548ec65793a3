/// Turns bytes into values of one type: images, JSON, the bytes themselves, or anything else.
public protocol ResourceDecoder<Value>: Sendable {
  /// What it makes.
  associatedtype Value: Sendable
  /// What decides how it decodes, and therefore belongs to the key of the value.
  associatedtype Options: Hashable & Sendable

  /// Decodes a whole response body. Runs off the caller's actor, a few at a time. Most decoders only compute and
  /// implement it without `async`; one that waits, for hardware or for another process, keeps its place among the
  /// few meanwhile.
  ///
  /// - Throws: ``LoadError`` when the bytes are not a value; ``LoadError/cancelled`` when it noticed that
  ///   its task was cancelled.
  func decode(_ bytes: [UInt8], options: Options) async throws(LoadError) -> Value

  /// The memory that decoding needs at its peak, in bytes, judged from the header alone. Cheap; the loader
  /// asks before it lets the decoding begin.
  ///
  /// - Throws: ``LoadError`` when the header shows that decoding cannot succeed.
  func workingBytes(for bytes: [UInt8], options: Options) throws(LoadError) -> Int

  /// The memory that `value` occupies, in bytes; its cost in the memory cache.
  func cost(of value: Value) -> Int

  /// A decoding that is fed while the bytes arrive; nil when this decoder needs all of them at once.
  func incremental(options: Options) -> (any IncrementalDecoding<Value>)?
}

extension ResourceDecoder {
  /// Nil: all bytes are needed at once.
  public func incremental(options: Options) -> (any IncrementalDecoding<Value>)? { nil }
}
