/// The progress of a simulation or study that was stopped by a signal. The finished parts are complete, and
/// the same as those of a run that planned no more.
package struct Incomplete: Sendable, Hashable, Codable {
  /// The number of finished replicas of a simulation, or cases of a study.
  package let finished: Int
  /// The number of planned ones.
  package let planned: Int

  /// Returns nil if all planned parts are finished.
  init?(finished: Int, planned: Int) {
    guard finished < planned else { return nil }
    self.finished = finished
    self.planned = planned
  }

  /// Returns the note that accompanies the numbers.
  ///
  /// - Parameter things: The plural of the parts, such as "replicas".
  package func sentence(of things: String) -> String {
    "stopped by a signal: \(finished) of \(planned) \(things) finished; the numbers cover only these"
  }
}
