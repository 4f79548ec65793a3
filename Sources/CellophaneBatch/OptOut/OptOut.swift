package import Cellophane

/// The opt-outs of owners from data sets.
package struct OptOut: Sendable {
  private let robot: String

  /// - Parameter robot: The product token of the robot, in lower case.
  package init(robot: String) { self.robot = robot }

  /// Returns the product of a user agent in lower case, which is the name that owners address.
  package static func robot(of agent: String) -> String {
    agent.prefix { $0 != "/" && $0 != " " }.lowercased()
  }

  /// Returns the error for a response whose owner forbids its use; nil if it may be used.
  ///
  /// - Parameter isReserved: Whether `tdmrep.json` reserves its URL. `TDM-Reservation` in the response takes precedence.
  package func refusal(_ headers: HeaderFields, isReserved: Bool = false) -> LoadError? {
    if let directive = RobotsTag.optOut(in: headers, for: robot) {
      return Self.optedOut("X-Robots-Tag: \(directive)")
    }
    let reservation = RobotsTag.tdmReservation(in: headers)
    if reservation == true { return Self.optedOut("TDM-Reservation: 1") }
    return reservation == nil && isReserved ? Self.optedOut("tdmrep.json") : nil
  }

  private static func optedOut(_ source: String) -> LoadError {
    LoadError(
      .optedOut,
      "the owner forbids the use in data sets (\(source)); leave the image out, or ask for permission")
  }
}
