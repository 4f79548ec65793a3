package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Study {
  /// Simulates all cases.
  ///
  /// Replicas of consecutive cases run at the same time, so that no thread waits for the last replica of a case. In real
  /// time they run one after the other, because concurrent ones would disturb each other.
  ///
  /// - Parameters:
  ///   - keepsFinished: Whether cancellation returns the finished cases instead of throwing; see
  ///     ``StudyResult/incomplete``.
  ///   - threads: The maximum number of concurrent replicas in virtual time. It does not change the result.
  ///   - onCase: Called before the start of each case with its index, in order.
  /// - Throws: The errors of `Simulation.run(_:onPhase:)`. ``LoadError/Kind/invalidRequest`` before the first case
  ///   runs, if the settings of any case are invalid.
  package func run(
    timeline: Timeline = Timeline(), keepsFinished: Bool = false,
    threads: Int = ProcessInfo.processInfo.activeProcessorCount, onCase: (Int) -> Void = { _ in }
  ) async throws(LoadError) -> StudyResult {
    let start = timeline.now
    let outcomes = try await outcomes(
      timeline: timeline, keepsFinished: keepsFinished, threads: threads, onCase: onCase)
    return StudyResult(self, outcomes, wall: timeline.now - start)
  }

  /// Simulates all cases as ``run(timeline:keepsFinished:threads:onCase:)`` does, and computes no intervals.
  func outcomes(
    timeline: Timeline, keepsFinished: Bool = false,
    threads: Int = ProcessInfo.processInfo.activeProcessorCount, onCase: (Int) -> Void
  ) async throws(LoadError) -> [[ReplicaOutcome]] {
    var simulations: [Simulation] = []
    for one in cases { simulations.append(try Simulation(one.configuration, timeline: timeline)) }
    let replicas = cases.enumerated().flatMap { index, one in
      (0..<one.configuration.replicas).map { (case: index, number: $0) }
    }
    let isReal = cases.contains { $0.configuration.time == .real }
    let finished = try await runConcurrently(
      replicas.count, threads: isReal ? 1 : threads, keepsFinished: keepsFinished,
      onStart: { if replicas[$0].number == 0 { onCase(replicas[$0].case) } }
    ) { [simulations] index throws(LoadError) in
      try await simulations[replicas[index].case].outcome(ofReplica: replicas[index].number)
    }
    var outcomes: [[ReplicaOutcome]] = []
    var rest = finished[...]
    for one in cases {
      guard rest.count >= one.configuration.replicas else { break }
      outcomes.append(Array(rest.prefix(one.configuration.replicas)))
      rest = rest.dropFirst(one.configuration.replicas)
    }
    if outcomes.isEmpty, !cases.isEmpty { throw .cancelled }
    return outcomes
  }
}
