/// The delay of the first transfer after a radio was idle.
package struct RadioWakeUp: Hashable, Sendable {
  /// The idle time that most operators of LTE set, about ten seconds (Huang et al., MobiSys 2012).
  package static let idleTime = Duration.seconds(10)

  /// The time from the first packet to the connection with the network.
  package let delay: Duration
  /// The time without a transfer after which the radio disconnects.
  package let idleTime: Duration

  /// Creates a radio.
  package init(delay: Duration, idleTime: Duration = Self.idleTime) {
    (self.delay, self.idleTime) = (delay, idleTime)
  }
}
