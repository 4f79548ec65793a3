/// The key of a decoded value: the key of its response and the decoder's options.
public struct ResourceKey<Options: Hashable & Sendable>: Hashable, Sendable {
  /// The key of the response.
  public let response: ResponseKey
  /// The options of the decoder.
  @usableFromInline package let options: Options
  /// The hash of both parts, computed once per request.
  @usableFromInline package let precomputedHash: Int

  package init(response: ResponseKey, options: Options) {
    self.response = response
    self.options = options
    var hasher = Hasher()
    hasher.combine(response.precomputedHash)
    hasher.combine(options)
    precomputedHash = hasher.finalize()
  }

  /// Returns whether both parts are equal.
  @inlinable
  @specialized(where Options == ImageOptions)
  public static func == (a: Self, b: Self) -> Bool {
    a.precomputedHash == b.precomputedHash && a.response == b.response && a.options == b.options
  }

  /// Feeds the precomputed hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(precomputedHash) }
}
