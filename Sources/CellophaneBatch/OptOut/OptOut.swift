package import Cellophane

/// The opt-outs of owners from data sets.
package struct OptOut: Sendable {
  private let robot: String
  private let policies: OriginPolicies?

  /// - Parameters:
  ///   - robot: The name of the robot in lower case, such as `cellophane`.
  ///   - policies: The files of the origins; nil if they are not loaded.
  package init(robot: String, policies: OriginPolicies?) { (self.robot, self.policies) = (robot, policies) }

  /// Returns the error for a response whose owner forbids its use; nil if it may be used. `TDM-Reservation` in the response
  /// takes precedence over `tdmrep.json`.
  package func refusal(_ url: String, _ headers: HeaderFields) -> LoadError? {
    if let directive = RobotsTag.optOut(in: headers, for: robot) {
      return Self.optedOut("X-Robots-Tag: \(directive)")
    }
    let reservation = RobotsTag.tdmReservation(in: headers)
    if reservation == true { return Self.optedOut("TDM-Reservation: 1") }
    if reservation == nil, policies?.reserves(url) == true { return Self.optedOut("tdmrep.json") }
    return nil
  }

  private static func optedOut(_ source: String) -> LoadError {
    LoadError(
      .optedOut,
      "the owner forbids the use in data sets (\(source)); leave the image out, or ask for permission")
  }
}
