/// The buffer in front of the bottleneck of a network.
package enum QueueDiscipline: Hashable, Sendable {
  /// A buffer that holds the data of this time at the mean rate. What does not fit is lost.
  case dropTail(Duration)
  /// A buffer of 1 000 packets, from which CoDel drops packets that wait too long (RFC 8289).
  case codel

  /// The text in ``NetworkProfile/init(parsing:)``: a number of ms, or `codel`.
  package var text: String {
    switch self {
    case .dropTail(let time): "\(time / .milliseconds(1))"
    case .codel: "codel"
    }
  }
}
