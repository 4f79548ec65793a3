/// How much was played of what was to be, before somebody stopped it. What is there is whole, and the same as if no more
/// had been asked for.
public struct Incomplete: Sendable, Hashable, Codable {
  /// The replicas of a simulation, or the cases of a study, that were finished.
  public let finished: Int
  /// How many there were to be.
  public let planned: Int

  /// Nil when all were finished.
  init?(finished: Int, planned: Int) {
    guard finished < planned else { return nil }
    self.finished = finished
    self.planned = planned
  }

  /// What is to be said wherever the numbers are shown.
  ///
  /// - Parameter things: What there were to be so many of.
  func sentence(of things: String) -> String {
    "stopped by the user: \(finished) of \(planned) \(things) were finished; the numbers are theirs alone"
  }
}
