public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A simulation of a scrolling list, which measures what a viewer sees.
///
/// It plays the same gestures with a naive loader, with Cellophane without prefetching, and with Cellophane as
/// configured. In virtual time, with a modeled link and modeled decoding, a run takes a moment and is
/// repeatable. In real time it uses real sockets, a real disk and real decoders.
public struct Simulation: Sendable {
  /// A phase of a simulation.
  public enum Phase: Sendable, Hashable {
    /// Generates the images.
    case preparing
    /// Measures all loaders in virtual time: the number of replicas, and their duration.
    case playing(replicas: Int, Duration)
    /// Measures one loader in real time, for this duration.
    case measuring(LoaderUnderTest, Duration)
    /// Compares the shown images with new loads of their URLs.
    case verifying
  }

  /// The configuration that is played.
  public let configuration: SimulationConfiguration
  private let layout: ListLayout
  let timeline: Timeline
  /// The loader under test; nil for Cellophane.
  private var tested: TestedLoader?

  /// Creates a simulation of `configuration`.
  ///
  /// - Parameter timeline: The clock of real time, which also measures the duration of virtual runs.
  /// - Throws: ``LoadError/Kind/invalidRequest`` for the first invalid setting.
  public init(_ configuration: SimulationConfiguration, timeline: Timeline = Timeline()) throws(LoadError) {
    self.configuration = configuration
    self.timeline = timeline
    tested = try configuration.loader.name.rules.map { rules throws(LoadError) in
      try TestedLoader(rules, configuration.loader)
    }
    layout = try configuration.checkedLayout()
  }

  /// Runs the simulation. In real time, this takes slightly more than three times the configured duration.
  ///
  /// - Parameters:
  ///   - records: True to record the first replica. Half of the charts of an HTML report need the
  ///     recording.
  ///   - onPhase: Called at the start of each phase.
  /// - Throws: ``LoadError`` if the embedded origin cannot run; ``LoadError/cancelled`` if the task is
  ///   cancelled. Failed loads are counted, not thrown.
  public func run(
    records: Bool = false, onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> SimulationResult {
    var instrumentation = Instrumentation()
    instrumentation.records = records
    return try await run(instrumentation, onPhase: onPhase)
  }

  /// Runs the simulation with `loader` under test, beside Cellophane as configured and a naive loader.
  ///
  /// - Parameters:
  ///   - loader: The loader. The metrics of the result are its own, and those of Cellophane are a baseline.
  ///   - records: True to record the first replica. Half of the charts of an HTML report need the
  ///     recording.
  /// - Throws: The errors of ``run(records:onPhase:)``.
  public func run(
    testing loader: TestedLoader, records: Bool = false
  ) async throws(LoadError) -> SimulationResult {
    var simulation = self
    simulation.tested = loader
    return try await simulation.run(records: records)
  }

  /// Runs the simulation with additional output of the first replica.
  ///
  /// - Throws: The errors of ``run(records:onPhase:)``, and ``LoadError`` if a URL of the configuration is
  ///   invalid. With ``Instrumentation/keepsFinished``, a cancelled run returns the replicas that have finished.
  package func run(
    _ instrumentation: Instrumentation, onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> SimulationResult {
    var instrumentation = instrumentation
    instrumentation.subject = subject
    return switch configuration.time {
    case .virtual: try await runVirtual(instrumentation, onPhase: onPhase)
    case .real: try await runReal(instrumentation, onPhase: onPhase)
    }
  }

  /// The loader under test.
  var subject: LoaderUnderTest { tested == nil ? .cellophane : .other }

  /// The loaders that are played.
  private var loaders: [LoaderUnderTest] { LoaderUnderTest.played(testing: tested != nil) }

  /// Runs the simulation in virtual time. `disturb` returns a transport between a loader and the link, for
  /// tests.
  ///
  /// - Parameter threads: The maximum number of concurrent replicas. It does not change the result.
  func runVirtual(
    _ instrumentation: Instrumentation = Instrumentation(),
    threads: Int = ProcessInfo.processInfo.activeProcessorCount,
    onPhase: @Sendable (Phase) -> Void = { _ in },
    disturb: @escaping @Sendable (any Transport) -> any Transport = { $0 }
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    onPhase(.playing(replicas: configuration.replicas, configuration.duration))
    let outcomes = try await virtualOutcomes(
      of: loaders, instrumentation, threads: threads, disturb: disturb)
    return result(of: outcomes, since: start)
  }

  /// Returns the outcome of the loader under test in the replica `index`.
  func outcome(ofReplica index: Int) async throws(LoadError) -> ReplicaOutcome {
    let replica = try Replica(index, of: configuration, testing: tested, Instrumentation())
    return switch configuration.time {
    case .virtual: try await replica.runVirtual([subject], threads: 1, disturb: { $0 })
    case .real: try await replica.runReal([subject], timeline: timeline) { _ in }
    }
  }

  private func virtualOutcomes(
    of loaders: [LoaderUnderTest], _ instrumentation: Instrumentation, threads: Int,
    disturb: @escaping @Sendable (any Transport) -> any Transport
  ) async throws(LoadError) -> [ReplicaOutcome] {
    // With fewer replicas than cores, the loaders of a replica share the remaining cores.
    let loaderThreads = max(1, threads / max(1, configuration.replicas))
    return try await runConcurrently(
      configuration.replicas, threads: threads, keepsFinished: instrumentation.keepsFinished,
      onEnd: { instrumentation.onReplica?($0) }
    ) { index throws(LoadError) in
      // Created here, so that only running replicas use memory.
      try await Replica(index, of: configuration, testing: tested, instrumentation).runVirtual(
        loaders, threads: loaderThreads, disturb: disturb)
    }
  }

  private func runReal(
    _ instrumentation: Instrumentation, onPhase: @Sendable (Phase) -> Void
  ) async throws(LoadError) -> SimulationResult {
    let start = timeline.now
    return result(
      of: try await realOutcomes(of: loaders, instrumentation, onPhase: onPhase),
      since: start)
  }

  /// One replica after the other, because concurrent ones would disturb each other.
  private func realOutcomes(
    of loaders: [LoaderUnderTest], _ instrumentation: Instrumentation,
    onPhase: @Sendable (Phase) -> Void
  ) async throws(LoadError) -> [ReplicaOutcome] {
    var outcomes: [ReplicaOutcome] = []
    for index in 0..<configuration.replicas {
      let replica = try Replica(index, of: configuration, testing: tested, instrumentation)
      do throws(LoadError) {
        outcomes.append(try await replica.runReal(loaders, timeline: timeline, onPhase: onPhase))
      } catch {
        if instrumentation.keepsFinished, error.kind == .cancelled, !outcomes.isEmpty { break }
        throw error
      }
      instrumentation.onReplica?(outcomes.count)
    }
    return outcomes
  }

  private func result(of outcomes: [ReplicaOutcome], since start: Duration) -> SimulationResult {
    var played = configuration
    // The command in the result repeats the finished replicas only.
    played.replicas = outcomes.count
    return SimulationResult(
      outcomes, config: played.completed(layout: layout, meanBytes: outcomes.first?.meanBytes),
      loader: tested?.name,
      planned: configuration.replicas, wall: timeline.now - start)
  }
}
