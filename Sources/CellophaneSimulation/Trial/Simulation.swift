public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Scrolls a list through real loaders and measures what a viewer would have seen: with a naive loader, with Cellophane
/// on demand and with Cellophane as configured; the same gestures for all. In virtual time, over a model of the line and of decoding, a run takes
/// a moment and is the same each time; in real time it takes its time, over real sockets, a real disk and real decoders.
public struct Simulation: Sendable {
  /// What a simulation is doing.
  public enum Phase: Sendable, Hashable {
    /// The pictures are generated.
    case preparing
    /// In virtual time, all loaders are measured, so many times for so long.
    case playing(replicas: Int, Duration)
    /// In real time, one loader is measured, for so long.
    case measuring(Contender, Duration)
    /// The pictures that were shown are compared with those that the URLs have.
    case verifying
  }

  /// What is played.
  public let configuration: SimulationConfiguration
  private let layout: ListLayout
  let timeline: Timeline

  /// A simulation of `configuration`.
  ///
  /// - Parameter timeline: The clock of real time, which also tells how long a virtual run took.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the first thing that cannot be played.
  public init(_ configuration: SimulationConfiguration, timeline: Timeline = Timeline()) throws(LoadError) {
    self.configuration = configuration
    self.timeline = timeline
    layout = try configuration.checkedLayout()
  }

  /// Plays it. In real time that takes a little more than three times the configured duration.
  ///
  /// - Parameters:
  ///   - attention: What is kept and told of the first replica beside its numbers.
  ///   - onPhase: Called at the beginning of each phase, before it.
  /// - Throws: ``LoadError`` when the embedded origin cannot run or a URL of the configuration is none;
  ///   ``LoadError/cancelled``, unless ``Attention/keepsFinished`` and a replica was finished. Loads that fail are counted, not thrown.
  public func run(
    _ attention: Attention = Attention(), onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> SimulationResult {
    switch configuration.time {
    case .virtual: try await runVirtual(attention, onPhase: onPhase)
    case .real: try await runReal(attention, onPhase: onPhase)
    }
  }

  /// The same in virtual time; `disturb` puts something between the loaders and the line.
  ///
  /// - Parameter threads: How many replicas are played at once. The result is the same for any number.
  func runVirtual(
    _ attention: Attention = Attention(), threads: Int = ProcessInfo.processInfo.activeProcessorCount,
    onPhase: @Sendable (Phase) -> Void = { _ in },
    disturb: @escaping @Sendable (any Transport) -> any Transport = { $0 }
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    onPhase(.playing(replicas: configuration.replicas, configuration.duration))
    let outcomes = try await virtualOutcomes(
      of: Contender.allCases, attention, threads: threads, disturb: disturb)
    return result(of: outcomes, since: start)
  }

  /// What comes of `contenders` alone, for each replica.
  func outcomes(of contenders: [Contender]) async throws(LoadError) -> [ReplicaOutcome] {
    switch configuration.time {
    case .virtual:
      try await virtualOutcomes(
        of: contenders, threads: ProcessInfo.processInfo.activeProcessorCount, disturb: { $0 })
    case .real: try await realOutcomes(of: contenders) { _ in }
    }
  }

  private func virtualOutcomes(
    of contenders: [Contender], _ attention: Attention = Attention(), threads: Int,
    disturb: @escaping @Sendable (any Transport) -> any Transport
  ) async throws(LoadError) -> [ReplicaOutcome] {
    // Fewer replicas than cores: their loaders share the others.
    let loaders = max(1, threads / max(1, configuration.replicas))
    return try await sideBySide(
      configuration.replicas, threads: threads, keepsFinished: attention.keepsFinished,
      onEnd: { attention.onReplica?($0) }
    ) { index throws(LoadError) in
      // Made here, so that only those that run take memory.
      try await Replica(index, of: configuration, attention).runVirtual(
        contenders, threads: loaders, disturb: disturb)
    }
  }

  private func runReal(
    _ attention: Attention, onPhase: @Sendable (Phase) -> Void
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    return result(
      of: try await realOutcomes(of: Contender.allCases, attention, onPhase: onPhase), since: start)
  }

  /// One replica after the other: they would disturb each other.
  private func realOutcomes(
    of contenders: [Contender], _ attention: Attention = Attention(), onPhase: @Sendable (Phase) -> Void
  ) async throws(LoadError) -> [ReplicaOutcome] {
    var outcomes: [ReplicaOutcome] = []
    for index in 0..<configuration.replicas {
      let replica = try Replica(index, of: configuration, attention)
      do throws(LoadError) {
        outcomes.append(try await replica.runReal(contenders, timeline: timeline, onPhase: onPhase))
      } catch {
        if attention.keepsFinished, error.kind == .cancelled, !outcomes.isEmpty { break }
        throw error
      }
      attention.onReplica?(outcomes.count)
    }
    return outcomes
  }

  private func result(of outcomes: [ReplicaOutcome], since start: Duration) -> SimulationResult {
    var played = configuration
    // The command of what was finished plays as much.
    played.replicas = outcomes.count
    return SimulationResult(
      outcomes, config: played.completed(layout: layout, meanBytes: outcomes.first?.meanBytes),
      planned: configuration.replicas, wall: timeline.now - start)
  }
}
