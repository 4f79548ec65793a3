/// What makes two requests the same decoded value: the bytes, and how to decode them.
public struct ResourceKey<Options: Hashable & Sendable>: Hashable, Sendable {
  /// The bytes.
  public let response: ResponseKey
  /// How they are decoded.
  public let options: Options
  /// The hash of both parts, computed once per request.
  @usableFromInline let precomputedHash: Int

  init(response: ResponseKey, options: Options) {
    self.response = response
    self.options = options
    var hasher = Hasher()
    hasher.combine(response.precomputedHash)
    hasher.combine(options)
    precomputedHash = hasher.finalize()
  }

  /// Equal when both parts are equal.
  @inlinable
  @specialized(where Options == ImageOptions)
  public static func == (a: Self, b: Self) -> Bool {
    a.precomputedHash == b.precomputedHash && a.response == b.response && a.options == b.options
  }

  /// Feeds the hash that was computed once.
  public func hash(into hasher: inout Hasher) { hasher.combine(precomputedHash) }
}
