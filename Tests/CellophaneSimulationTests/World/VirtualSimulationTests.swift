import Cellophane
import CellophaneNetwork
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

/// Complete runs in virtual time.
@Suite(.thorough)
struct VirtualSimulationTests {
  static let profiles = [ScrollProfile.reader, .browser, .skimmer, .stress, .constant(4_000)]
  static let networks = NetworkProfile.presets.map(\.name)

  /// The default configuration with one replica.
  static var oneReplica: SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    return configuration
  }

  /// Returns a short run with every setting drawn by `seed`.
  static func short(_ seed: UInt64) throws -> SimulationConfiguration {
    let draw = SeededDraw(seed: seed)
    func pick<Value>(_ values: [Value], _ name: String) -> Value {
      values[Int(draw.bits(name, 0) % UInt64(values.count))]
    }
    var configuration = oneReplica
    configuration.seed = seed
    configuration.list.layout = pick(ListKind.allCases, "layout")
    configuration.list.repeated = pick([nil, nil, RepeatedPictures(pictures: 6, exponent: 0.8)], "repeat")
    configuration.list.bytes = pick([.generated, .lognormal(Lognormal(median: 9_000, sigma: 1))], "bytes")
    configuration.origin.fail = pick([0, 0, 0.2], "fail")
    configuration.origin.slowTail = pick([nil, .init(alpha: 1, share: 0.2)], "slow")
    configuration.origin.revalidate = pick([0, 0.5], "revalidate")
    configuration.origin.change = pick([nil, nil, 0.2], "change")
    configuration.loader.previews = pick([false, true], "previews")
    configuration.list.progressive = pick([0, 0.5, 1], "progressive")
    configuration.origin.maxAge = pick([86_400, 0], "age")
    configuration.origin.staleWhileRevalidate = pick([0, 60], "late")
    configuration.events = pick(
      [
        [], [ScheduledEvent(.memoryWarning, at: .milliseconds(200))],
        [
          ScheduledEvent(.rotation, at: .milliseconds(150)),
          ScheduledEvent(.rotation, at: .milliseconds(400)),
        ],
      ], "warning")
    configuration.list.rows = pick([5, 40, 200], "rows")
    configuration.duration = .milliseconds(pick([500, 1_000], "duration"))
    configuration.viewport.refreshRate = pick([30, 60], "hz")
    configuration.viewport.density = pick([1, 1, 2.625], "density")
    configuration.gesture.profile = pick(profiles, "profile")
    configuration.gesture.physics = pick(ScrollPhysics.allCases, "physics")
    let named = try NetworkProfile(parsing: pick(networks, "network"))
    configuration.network.profile = NetworkProfile(
      name: named.name, downBitsPerSecond: named.downBitsPerSecond,
      upBitsPerSecond: named.upBitsPerSecond, roundTrip: named.roundTrip,
      loss: pick([0, 0, 0.001, 0.1], "loss"))
    if named.downBitsPerSecond != nil {
      let rates = RateSchedule([9, 0, 20, 1, 0, 0, 30, 12].map { $0 * 1_000_000 }, interval: 70_000_000)
      configuration.network.profile.variation = pick(
        [named.variation, .trace(file: nil, rates)], "variation")
    }
    configuration.network.http = pick(HTTPVersion.allCases, "http")
    if named.downBitsPerSecond != nil {
      configuration.network.profile.queue = pick([nil, nil, .dropTail(.milliseconds(80)), .codel], "queue")
    }
    configuration.network.profile.wakeUp = pick(
      [nil, RadioWakeUp(delay: .milliseconds(50), idleTime: .milliseconds(40))], "radio")
    configuration.network.origins = pick([1, 1, 3], "origins")
    configuration.network.isWarm = configuration.network.http == .http3 && pick([true, false], "warm")
    configuration.network.tls = configuration.network.http == .http3 || pick([true, false], "tls")
    configuration.network.think = .milliseconds(pick([0, 30], "think"))
    configuration.network.drainBytes = pick([0, 8_000], "drain")
    configuration.network.idleRestart = pick(IdleRestart.allCases, "idle")
    configuration.list.image = pick(
      [PixelSize(width: 64, height: 64), PixelSize(width: 300, height: 200)], "source")
    configuration.cache.memoryBytes = pick([0, 200_000, 2_000_000], "memory")
    configuration.cache.diskBytes = pick([0, 100_000, 10_000_000], "disk")
    configuration.loader.prefetch = pick([.none, .rows(3), .rows(20), .landing, .deadline], "ahead")
    return configuration
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the same seed gives the same run, and another seed gives another run`(seed: UInt64) async throws {
    var configuration = Self.oneReplica
    configuration.seed = seed
    configuration.duration = .seconds(10)
    let first = try await Simulation(configuration).run()
    let second = try await Simulation(configuration).run()
    #expect(first.fingerprint != nil)
    #expect(first.fingerprint == second.fingerprint)
    #expect(first.metrics == second.metrics)
    #expect(first.baselines == second.baselines)
    configuration.seed = seed + 100
    #expect(try await Simulation(configuration).run().fingerprint != first.fingerprint)
  }

  @Test func `replicas do not depend on the number of threads, and each equals a single run`() async throws {
    var configuration = Self.oneReplica
    configuration.duration = .seconds(3)
    configuration.seed = 40
    configuration.replicas = 10
    let simulation = try Simulation(configuration)
    let alone = try await simulation.runVirtual(threads: 1)
    for threads in [2, 5, 16] {
      let result = try await simulation.runVirtual(threads: threads)
      #expect(result.fingerprint == alone.fingerprint, "\(threads) threads")
      #expect(result.metrics == alone.metrics)
      #expect(result.differences == alone.differences)
    }
    var (waits, fingerprints) = (0, Set<String?>())
    for replica in 0..<10 {
      configuration.seed = 40 + UInt64(replica)
      configuration.replicas = 1
      let result = try await Simulation(configuration).run()
      #expect(result.metrics[.blankRatio].mean == alone.metrics[.blankRatio].replicas[replica])
      waits += result.metrics[.timeToImage].count
      fingerprints.insert(result.fingerprint)
    }
    #expect(alone.metrics[.timeToImage].count == waits)
    #expect(fingerprints.count == 10)
    #expect(alone.metrics[.blankRatio].interval != nil)
    #expect(try SimulationResult(json: try alone.json()) == alone)
  }

  @Test func `a setting changes only the loaders that use it`() async throws {
    var configuration = Self.oneReplica
    configuration.duration = .seconds(5)
    configuration.replicas = 3
    let first = try await Simulation(configuration).run()
    configuration.cache.memoryBytes = 100_000
    configuration.loader.prefetch = .none
    let second = try await Simulation(configuration).run()
    // The naive loader has no cache and does not prefetch, and the oracle has no limits. Their results are equal.
    #expect(first.baselines[.naive] == second.baselines[.naive])
    #expect(first.baselines[.oracle] == second.baselines[.oracle])
    // The second run does not prefetch, so it needs no baseline without prefetching.
    #expect(Set(first.baselines.keys) == [.naive, .noPrefetch, .oracle])
    #expect(Set(second.baselines.keys) == [.naive, .oracle])
    #expect(first.metrics[.appearances] == second.metrics[.appearances])
    #expect(first.metrics[.blankRatio].replicas != second.metrics[.blankRatio].replicas)
  }

  // Serialized, because a virtual run occupies its thread and other tests wait for a real clock.
  @Test(.serialized, arguments: 0..<10)
  func `every invariant holds under a thousand seeds`(hundred: UInt64) async throws {
    var (transfers, cancelled, shown) = (0.0, 0.0, 0)
    for seed in hundred * 100 + 1...hundred * 100 + 100 {
      let configuration = try Self.short(seed)
      let result = try await Simulation(configuration).run()
      // The message is the command that repeats the run.
      #expect(result.invariants.broken == [], "\(result.reproduce ?? "")")
      if seed.isMultiple(of: 20) {
        let again = try await Simulation(configuration).run()
        #expect(again.fingerprint == result.fingerprint, "\(result.reproduce ?? "")")
      }
      let run = result.metrics.run
      let blank = [run] + LoaderUnderTest.allCases.compactMap { result.baselines[$0] }
      let least = result.baselines[.oracle]?[.blankRatio] ?? 1
      #expect(blank.allSatisfy { $0[.blankRatio] ?? 1 >= least }, "\(result.reproduce ?? "")")
      transfers += run[.transfers] ?? 0
      cancelled += run[.cancelledTransfers] ?? 0
      shown += run.timeToImage.count - run.timeToImage.cutShort
    }
    // Otherwise the seeds would test nothing.
    #expect(transfers > 500)
    #expect(cancelled > 50)
    #expect(shown > 200)
  }

  @Test(.serialized, arguments: 1...8 as ClosedRange<UInt64>)
  func `real decoding gives the same run as modeled decoding`(seed: UInt64) async throws {
    var configuration = try Self.short(seed)
    configuration.list.rows = 20
    configuration.list.bytes = .generated
    configuration.origin.change = nil
    configuration.list.progressive = 0
    configuration.loader.previews = false
    let modeled = try await Simulation(configuration).run()
    configuration.decoding.mode = .real
    let decoded = try await Simulation(configuration).run()
    #expect(decoded.fingerprint == modeled.fingerprint, "\(configuration.command ?? "")")
    #expect(decoded.metrics == modeled.metrics)
    #expect(decoded.baselines == modeled.baselines)
    #expect(decoded.invariants.broken == [])
  }

  @Test func `by default, the blank share is less than half of that of the naive loader`() async throws {
    let result = try await Simulation(Self.oneReplica).run()
    let (ours, naive) = (result.metrics.run, try #require(result.baselines[.naive]))
    #expect(result.verdict == .played)
    #expect(result.time == "virtual")
    #expect(ours.timeToImage.count == naive.timeToImage.count)
    #expect(ours.timeToImage.count > 500)
    #expect(ours[.blankRatio] ?? 1 < (naive[.blankRatio] ?? 0) / 2)
    #expect(naive[.misplacedEvents] ?? 0 > 0)
    #expect(ours[.refetchedBytes] == 0)
    // Virtual time does not model these metrics.
    #expect(ours[.lateFrames] == nil)
    #expect(ours[.hitches] == nil)
    #expect(ours[.peakResidentBytes] == nil)
  }

  @Test(arguments: [1, 3, 20])
  func `the number of concurrent transfers reaches its limit if more rows are visible`(most: Int) async throws
  {
    var configuration = Self.oneReplica
    configuration.gesture.profile = .constant(10)
    configuration.duration = .seconds(5)
    configuration.list.rowHeight = 20
    configuration.list.picture = PixelSize(width: 16, height: 16)
    configuration.loader.concurrency = most
    let run = try await Simulation(configuration).run().metrics.run
    #expect(run[.peakInFlight] == Double(most))
  }

  /// A transport that never responds for row 2. With `ignoresCancellation`, a cancelled exchange does not end either.
  private struct StuckTransport: Transport {
    let transport: any Transport
    let ignoresCancellation: Bool

    func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
      guard request.url.hasSuffix("/2.png") else { return try await transport.exchange(request) }
      let cell = OneShot<Void>()
      await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        if !ignoresCancellation { cell.settle(()) }
      }
      throw .cancelled
    }
  }

  @Test(arguments: [false, true])
  func `a deadlocked slot is detected and named`(ignoresCancellation: Bool) async throws {
    var configuration = Self.oneReplica
    configuration.gesture.profile = .constant(1)
    configuration.duration = .seconds(1)
    let result = try await Simulation(configuration).runVirtual(disturb: {
      StuckTransport(transport: $0, ignoresCancellation: ignoresCancellation)
    })
    #expect(result.invariants.deadlocks == 1)
    #expect(result.invariants.waiting == ["slot 2 waits forever for the image of row 2"])
    // An exchange that ends when it is cancelled is not left over.
    #expect((result.invariants.leftOver > 0) == ignoresCancellation)
    #expect(result.verdict == .invariantBroken)
    #expect(result.invariants.repeatBroken == configuration.command && configuration.command != nil)
  }

  // Six equal transfers over this link take longer than a row is visible, so no image would arrive in time.
  @Test func `some images arrive in time although the list scrolls faster than the link can load`()
    async throws
  {
    var configuration = Self.oneReplica
    configuration.network.profile = try NetworkProfile(parsing: "lh-slow4g")
    configuration.duration = .seconds(15)
    configuration.gesture.profile = .constant(900)
    let result = try await Simulation(configuration).run()
    let blank = try #require(result.metrics.run[.blankRatio])
    #expect(blank < 0.96)
    #expect(result.invariants.hold)
  }

  @Test func `loads that time out fail and are not a deadlock`() async throws {
    var configuration = Self.oneReplica
    configuration.network.profile = try NetworkProfile(parsing: "rtt=60000")
    configuration.duration = .seconds(40)
    configuration.gesture.profile = .constant(1)
    let result = try await Simulation(configuration).run()
    #expect(result.metrics.run[.failedLoads] ?? 0 > 0)
    #expect(result.invariants.hold)
    #expect(result.verdict == .failed)
  }

  /// A transport that cancels a task when its tenth exchange begins.
  private final class Canceller: Transport {
    let transport: any Transport
    let task: Notes<Task<LoadError?, Never>>
    let started = Notes<String>()

    init(_ transport: any Transport, _ task: Notes<Task<LoadError?, Never>>) {
      self.transport = transport
      self.task = task
    }

    func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
      started.add(request.url)
      if started.all.count == 10 { task.all.first?.cancel() }
      return try await transport.exchange(request)
    }
  }

  @Test func `a cancelled virtual run throws cancelled`() async throws {
    let simulation = try Simulation(Self.oneReplica)
    let (task, phases) = (Notes<Task<LoadError?, Never>>(), Notes<Simulation.Phase>())
    let start = OneShot<Void>()
    let run = Task {
      await start.value
      do throws(LoadError) {
        _ = try await simulation.runVirtual(onPhase: { phases.add($0) }, disturb: { Canceller($0, task) })
        return LoadError?.none
      } catch {
        return error
      }
    }
    task.add(run)
    start.settle(())
    #expect(await run.value?.kind == .cancelled)
    #expect(phases.all == [.playing(replicas: 1, .seconds(60))])
  }

  /// The result equals that of a run of the finished replicas only.
  @Test(arguments: [1, 2]) func `a cancelled run keeps its finished replicas`(threads: Int)
    async throws
  {
    var configuration = Self.oneReplica
    configuration.duration = .seconds(2)
    configuration.replicas = 50
    let simulation = try Simulation(configuration)
    let task = Notes<Task<SimulationResult, any Error>>()
    let start = OneShot<Void>()
    var instrumentation = RecordedRunTests.withRecording
    instrumentation.keepsFinished = true
    instrumentation.onReplica = { if $0 == 4 { task.all.first?.cancel() } }
    let run = Task { [instrumentation] in
      await start.value
      return try await simulation.runVirtual(instrumentation, threads: threads)
    }
    task.add(run)
    start.settle(())
    let result = try await run.value
    let incomplete = try #require(result.incomplete)
    #expect((1...5).contains(incomplete.finished) && incomplete.planned == 50, "\(incomplete)")
    #expect(result.config.replicas == incomplete.finished && result.recording != nil)
    #expect(
      incomplete.sentence(of: "replicas").hasPrefix(
        "stopped by a signal: \(incomplete.finished) of 50 replicas"))
    #expect(try SimulationResult(json: result.json()) == result)
    configuration.replicas = incomplete.finished
    let complete = try await Simulation(configuration).run()
    #expect(complete.fingerprint == result.fingerprint && complete.metrics == result.metrics)
    #expect(complete.incomplete == nil && complete.reproduce == result.reproduce)
  }

  @Test func `the user's images are rejected in virtual time`() {
    var configuration = SimulationConfiguration()
    configuration.list.pictures = .own(["http://a/1"], allowsFiles: false)
    #expect(throws: LoadError.self) { try Simulation(configuration) }
    #expect(configuration.command == nil)
  }
}
