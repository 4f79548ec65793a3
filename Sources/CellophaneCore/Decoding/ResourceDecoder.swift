/// A decoder of response bytes into values of one type, such as images, JSON values or the bytes themselves.
public protocol ResourceDecoder<Value>: Sendable {
  /// The type of the decoded value.
  associatedtype Value: Sendable
  /// The options that affect the value and are therefore part of its key.
  associatedtype Options: Hashable & Sendable

  /// Decodes a complete response body, off the caller's actor and with limited concurrency.
  ///
  /// Most decoders only compute and implement this without `async`. A decoder that waits, for example for
  /// hardware or another process, keeps its permit while it waits.
  ///
  /// - Throws: ``LoadError`` if the bytes are not a value; ``LoadError/cancelled`` if the decoder noticed
  ///   that its task was cancelled.
  func decode(_ bytes: [UInt8], options: Options) async throws(LoadError) -> Value

  /// Returns the peak memory of decoding in bytes, estimated from the header alone. Must be cheap; the loader
  /// calls it before decoding.
  ///
  /// - Throws: ``LoadError`` if the header shows that decoding cannot succeed.
  func workingBytes(for bytes: [UInt8], options: Options) throws(LoadError) -> Int

  /// The value of `Accept` for loads whose headers have none, so that an origin with several representations sends
  /// one that can be decoded. Nil for the transport's default, which accepts everything.
  var acceptedTypes: String? { get }

  /// Returns the memory of `value` in bytes, which is its cost in the memory cache.
  func cost(of value: Value) -> Int

  /// Creates a decoding that receives the bytes as they arrive; nil if this decoder needs all bytes at once.
  func incremental(options: Options) -> (any IncrementalDecoding<Value>)?

  /// Returns the last step of the value of `options`; nil if it is decoded from the bytes in one step.
  ///
  /// ``decode(_:options:)`` and ``incremental(options:)`` include all steps.
  func derivation(options: Options) -> Derivation<Options, Value>?

  /// Returns the form in which a loader with `results` stores the values of `options`; nil if they are not stored.
  func resultForm(options: Options) -> ResultForm<Value>?

  /// Returns the values that a slot shows one after the other instead of `value`, each at its time, for example the frames of
  /// an animation; nil for a value that does not change. The first one is equal to `value`.
  func playback(of value: Value, on timeline: Timeline) -> (any AsyncSequence<Value, LoadError> & Sendable)?
}

extension ResourceDecoder {
  /// Nil: everything is accepted.
  public var acceptedTypes: String? { nil }

  /// Returns nil: all bytes are needed at once.
  public func incremental(options: Options) -> (any IncrementalDecoding<Value>)? { nil }

  /// Returns nil: values are decoded in one step.
  public func derivation(options: Options) -> Derivation<Options, Value>? { nil }

  /// Returns nil: values are not stored.
  public func resultForm(options: Options) -> ResultForm<Value>? { nil }

  /// Returns nil: values do not change.
  public func playback(
    of value: Value, on timeline: Timeline
  ) -> (any AsyncSequence<Value, LoadError> & Sendable)? { nil }
}
