/// The current restriction of a host: a pause, a lowered limit, or both.
package struct HostThrottle: Equatable, Sendable {
  package let host: String
  /// The remaining time of the pause; nil without a pause.
  package var pause: Duration?
  /// The lowered limit of concurrent records; nil if the limit is not lowered.
  package let limit: Int?

  package init(host: String, pause: Duration? = nil, limit: Int? = nil) {
    (self.host, self.pause, self.limit) = (host, pause, limit)
  }
}
