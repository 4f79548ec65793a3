internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch
internal import TestSupport

@Suite("A host with a rate limit, in virtual time", .thorough)
struct RateLimitTests {
  /// A leaky bucket, as `limit_req ... burst=5 nodelay` of nginx. It names no pause, and answers 503 by default.
  private final class Bucket: Sendable {
    private let state = Mutex((level: 0.0, since: Duration.zero))
    private let rate: Double

    init(rate: Double) { self.rate = rate }

    func admits(at now: Duration) -> Bool {
      state.withLock { state in
        let level = max(0, state.level - (now - state.since) / .seconds(1) * rate)
        state = (level, now)
        if level >= 6 { return false }
        state.level += 1
        return true
      }
    }
  }

  @Test(arguments: [429, 503], [1, 4, 16, 64])
  func `a limit of requests per second costs no record`(status: Int, jobs: Int) throws {
    for rate in [5.0, 20.0, 50.0] {
      for seed in 1...5 as ClosedRange<UInt64> {
        try load(status: status, jobs: jobs, rate: rate, seed: seed)
      }
    }
  }

  private func load(status refusal: Int, jobs: Int, rate: Double, seed: UInt64) throws {
    let world = BatchWorld(toolWith: jobs, seed: seed, order: nil)
    let bucket = Bucket(rate: rate)
    world.origin.script("*") { [timeline = world.timeline] _ in
      .status(bucket.admits(at: timeline.now) ? 200 : refusal, body: [1]).after(.milliseconds(20))
    }
    try world.expectAllFetched((0..<300).map { "http://h/\($0)" }, jobs: jobs, seed: seed)
    // The time that the limit requires, and 15 s for pauses that are too long. At most 1.5 refusals per response.
    #expect(world.timeline.now < .seconds(300 / rate + 15))
    #expect(world.origin.counters.started < 750)
  }

  @Test(arguments: [429, 503], [4, 16, 64])
  func `a limit that names a pause of a second is nearly used`(status: Int, jobs: Int) throws {
    for rate in [20.0, 50.0, 200.0] {
      let world = BatchWorld(toolWith: jobs, seed: 1, order: nil)
      let bucket = Bucket(rate: rate)
      world.origin.script("*") { [timeline = world.timeline] _ in
        let answer =
          bucket.admits(at: timeline.now)
          ? ScriptedTransport.Answer.ok("1") : .status(status, ["retry-after": "1"])
        return answer.after(.milliseconds(20))
      }
      let count = Int(rate) * 60
      try world.expectAllFetched((0..<count).map { "http://h/\($0)" }, jobs: jobs, seed: 1)
      #expect(world.timeline.now < .seconds(75), "\(rate)")
      #expect(world.origin.counters.started - count < 120, "\(rate)")
    }
  }

  /// One host refuses each URL once, and names a pause. The URLs of another host, in between, succeed.
  @Test(arguments: [4, 16, 64], 0...UInt64(TestScope.rounds(40, soak: 400)))
  func `a host that refuses each URL once costs no record`(jobs: Int, seed: UInt64) throws {
    let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
    var random = SplitMix64(seed: seed)
    let status = try #require([429, 503].randomElement(using: &random))
    let pause = try #require([1, 2, 5, 10, 20, 60].randomElement(using: &random))
    // Responses take one to five units, so that they often arrive at the end of a pause.
    let unit = try #require([20, 100, 1_000, 5_000].randomElement(using: &random))
    let requested = Mutex<(urls: Set<String>, random: SplitMix64)>(([], SplitMix64(seed: seed)))
    world.origin.script("*") { request in
      let (isRefused, units) = requested.withLock { requested in
        (
          request.url.contains("shy") && requested.urls.insert(request.url).inserted,
          Int.random(in: 1...5, using: &requested.random)
        )
      }
      let answer = isRefused ? .status(status, ["retry-after": "\(pause)"]) : ScriptedTransport.Answer.ok("1")
      return answer.after(.milliseconds(unit * units))
    }
    let (refused, good) = (Int.random(in: 2...60, using: &random), Int.random(in: 0...1_000, using: &random))
    let urls = (0..<refused).map { "http://shy/\($0)" } + (0..<good).map { "http://good/\($0)" }
    try world.expectAllFetched(urls.shuffled(using: &random), jobs: jobs, seed: seed)
  }
}
