internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch
internal import TestSupport

@Suite("An overloaded host that refuses requests, in virtual time", .thorough)
struct CrowdedHostTests {
  /// The status of a refusal, and its pause in seconds, if the host names one.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let status: Int
    var pause: Int?

    static let all = [429, 503].flatMap { [Refusal(status: $0), Refusal(status: $0, pause: 1)] }
    var testDescription: String { "\(status)\(pause.map { ", Retry-After: \($0)" } ?? "")" }

    var answer: ScriptedTransport.Answer { .status(status, pause.map { ["retry-after": "\($0)"] } ?? [:]) }
  }

  /// A limit of concurrent requests, as `limit_conn` of nginx sets.
  @Test(arguments: Refusal.all, [4, 16, 64])
  func `a limit of concurrent requests costs no record`(refusal: Refusal, jobs: Int) throws {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
      let slots = Int(seed % 3) + 2
      // Slow responses with even seeds, fast ones with odd seeds.
      let unit = seed % 2 == 0 ? 1_000 : 50
      let state = Mutex((ends: [Duration](), random: SplitMix64(seed: seed)))
      world.origin.script("*") { [timeline = world.timeline] _ in
        let duration = state.withLock { state -> Duration? in
          state.ends.removeAll { $0 <= timeline.now }
          guard state.ends.count < slots else { return nil }
          let duration = Duration.milliseconds(unit * Int.random(in: 3...8, using: &state.random))
          state.ends.append(timeline.now + duration)
          return duration
        }
        guard let duration else { return refusal.answer.after(.milliseconds(5)) }
        return .ok("1").after(duration)
      }
      try world.expectAllFetched((0..<60).map { "http://h/\($0)" }, jobs: jobs, seed: seed)
    }
  }

  @Test(arguments: [4, 16, 64], [429, 503])
  func `a limit of requests per period costs no record, if the host names the end of the period`(
    jobs: Int, status: Int
  ) throws {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
      let (most, period) = seed % 2 == 0 ? (10, 5) : (20, 2)
      let served = Mutex((period: Int64(0), count: 0))
      world.origin.script("*") { [timeline = world.timeline] _ in
        let now = Int64(timeline.now / .seconds(period))
        let isServed = served.withLock { served in
          if served.period != now { served = (now, 0) }
          served.count += 1
          return served.count <= most
        }
        let end = Duration.seconds((now + 1) * Int64(period))
        let refusal = Refusal(status: status, pause: Int(((end - timeline.now) / .seconds(1)).rounded(.up)))
        return (isServed ? .ok("1") : refusal.answer).after(.milliseconds(20))
      }
      try world.expectAllFetched((0..<120).map { "http://h/\($0)" }, jobs: jobs, seed: seed)
    }
  }

  @Test(arguments: [1, 4, 16, 64], [2, 5, 40, 60])
  func `a host that refuses each URL once and names no pause costs no record`(jobs: Int, records: Int) throws
  {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
      world.origin.script("*", .refusal.after(.milliseconds(40)), .ok("1").after(.milliseconds(40)))
      try world.expectAllFetched((0..<records).map { "http://h/\($0)" }, jobs: jobs, seed: seed)
    }
  }

  @Test(arguments: Refusal.all, [4, 64])
  func `a host that refuses every request gets few requests, and its records fail soon`(
    refusal: Refusal, jobs: Int
  ) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
      world.origin.script("*", refusal.answer.after(.milliseconds(40)))
      let results = try world.results(of: (0..<2_000).map { "http://h/\($0)" }, jobs: jobs)
      #expect(results.count == 2_000 && results.allSatisfy { $0.outcome == .failed })
      #expect(world.timeline.now < .seconds(20) && world.origin.counters.started < jobs + 10, "seed \(seed)")
    }
  }

  @Test(arguments: Refusal.all, [4, 64])
  func `records that are always refused fail in the end, and all others are loaded`(
    refusal: Refusal, jobs: Int
  ) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
      world.origin.script("*", .ok("1").after(.milliseconds(40)))
      world.origin.script("http://h/bad/*", refusal.answer.after(.milliseconds(40)))
      var random = SplitMix64(seed: seed)
      let urls = (0..<30).map { "http://h/bad/\($0)" } + (0..<500).map { "http://h/\($0)" }
      let results = try world.results(of: urls.shuffled(using: &random), jobs: jobs)
      #expect(results.count == 530 && results.count { $0.outcome == .fetched } == 500)
      // A 429 without a pause takes the most: each of its records is requested sixteen times.
      #expect(world.timeline.now < .seconds(500) && world.origin.counters.started < 1_100)
    }
  }

  /// The refusals may be stored. While one is fresh, it answers further loads without a request.
  @Test(arguments: [429, 503], [nil, 1])
  func `a refusal that may be stored is not requested again and again`(status: Int, pause: Int?) throws {
    let world = BatchWorld(toolWith: 4, seed: 1, order: 1)
    var headers: HeaderFields = ["cache-control": "max-age=60"]
    if let pause { headers["retry-after"] = "\(pause)" }
    world.origin.script("*", .ok("1").after(.milliseconds(40)))
    world.origin.script("http://h/bad", .status(status, headers, body: [1]).after(.milliseconds(40)))
    let urls = ["http://h/bad"] + (0..<200).map { "http://h/\($0)" }
    let results = try world.results(of: urls, jobs: 4)
    #expect(results.count == 201 && results.count { $0.outcome == .fetched } == 200)
    #expect(world.origin.counters.started < 220)
  }
}
