/// How a host gets less than it may have.
package struct HostRestraint: Equatable, Sendable {
  package let host: String
  /// How long it is still left alone; nil when it is not.
  package var pause: Duration?
  /// How many it may have at once; nil for all that there may be.
  package let limit: Int?

  package init(host: String, pause: Duration? = nil, limit: Int? = nil) {
    (self.host, self.pause, self.limit) = (host, pause, limit)
  }
}
