/// The current restriction of a host: a pause, a lowered limit, a rate, or several of them.
package struct HostThrottle: Equatable, Sendable {
  package let host: String
  /// The remaining time of the pause; nil without a pause.
  package var pause: Duration?
  /// The lowered limit of concurrent records; nil if the limit is not lowered.
  package let limit: Int?
  /// The learned rate of records per second; nil without one.
  package let rate: Double?

  package init(host: String, pause: Duration? = nil, limit: Int? = nil, rate: Double? = nil) {
    (self.host, self.pause, self.limit, self.rate) = (host, pause, limit, rate)
  }
}
