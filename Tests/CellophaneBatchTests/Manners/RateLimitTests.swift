internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("A host that counts requests, in virtual time")
struct RateLimitTests {
  /// As nginx counts with `limit_req ... burst=5 nodelay`, which names no time.
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

  @Test(arguments: [1, 4, 16, 64], [5.0, 20.0, 50.0])
  func `a limit of requests a second costs no line`(jobs: Int, rate: Double) throws {
    for seed in 1...5 as ClosedRange<UInt64> { try load(jobs: jobs, rate: rate, seed: seed) }
  }

  private func load(jobs: Int, rate: Double, seed: UInt64) throws {
    let time = VirtualTime()
    let timeline = time.timeline()
    let bucket = Bucket(rate: rate)
    let transport = ScriptedTransport(timeline: timeline) { request in
      let status = bucket.admits(at: timeline.now) ? 200 : 429
      return .init(
        after: .milliseconds(20),
        .success(TransportResponse(status: status, headers: [:], body: [1], url: request.url)))
    }
    var configuration = ByteLoader.Configuration()
    configuration.retry.waitsForOrigins = false
    configuration.retry.seed = seed
    let bytes = ByteLoader(
      transport: transport, disk: nil, configuration: configuration, timeline: timeline)
    let told = Mutex<[(isFetched: Bool, attempts: Int)]>([])
    let run = BatchRun(
      ListSource(urls: (0..<300).map { "http://h/\($0)" }),
      BatchWork(BatchWork.Order(picture: nil), bytes: bytes, output: nil)
    ) { result in
      told.withLock { $0.append((result.outcome == .fetched, result.attempts ?? 0)) }
      return true
    }
    #expect(time.run { await run.run(jobs: jobs) } == 0)
    let lost = told.withLock { $0.filter { !$0.isFetched } }
    #expect(told.withLock(\.count) == 300 && lost.isEmpty, "\(lost)")
    // As long as the host's limit makes it take, and what its pauses are too long; hardly a refusal for each answer.
    #expect(timeline.now < .seconds(300 / rate + 15))
    #expect(transport.counters.started < 700)
  }
}
