package import Cellophane

extension Study {
  /// Simulates all cases, one after the other.
  ///
  /// - Parameters:
  ///   - keepsFinished: Whether cancellation returns the finished cases instead of throwing; see
  ///     ``StudyResult/incomplete``.
  ///   - onCase: Called before each case, with its index.
  /// - Throws: The errors of `Simulation.run(_:onPhase:)`. ``LoadError/Kind/invalidRequest`` before the first case
  ///   runs, if the settings of any case are invalid.
  package func run(
    timeline: Timeline = Timeline(), keepsFinished: Bool = false,
    onCase: @Sendable (Int) -> Void = { _ in }
  ) async throws(LoadError) -> StudyResult {
    let start = timeline.now
    let outcomes = try await outcomes(timeline: timeline, keepsFinished: keepsFinished, onCase: onCase)
    return StudyResult(self, outcomes, wall: timeline.now - start)
  }

  /// Simulates all cases as ``run(timeline:keepsFinished:onCase:)`` does, and computes no intervals.
  func outcomes(
    timeline: Timeline, keepsFinished: Bool = false, onCase: @Sendable (Int) -> Void
  ) async throws(LoadError) -> [[ReplicaOutcome]] {
    var simulations: [Simulation] = []
    for one in cases { simulations.append(try Simulation(one.configuration, timeline: timeline)) }
    var outcomes: [[ReplicaOutcome]] = []
    for (index, simulation) in simulations.enumerated() {
      onCase(index)
      do throws(LoadError) {
        outcomes.append(try await simulation.outcomes(of: [simulation.subject]))
      } catch {
        if keepsFinished, error.kind == .cancelled, !outcomes.isEmpty { break }
        throw error
      }
    }
    return outcomes
  }
}
