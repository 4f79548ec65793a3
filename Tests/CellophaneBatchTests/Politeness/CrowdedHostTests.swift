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

    func response(to request: TransportRequest) -> TransportResponse {
      TransportResponse(
        status: status, headers: pause.map { ["retry-after": "\($0)"] } ?? [:], body: [], url: request.url)
    }
  }

  /// A limit of concurrent requests, as `limit_conn` of nginx sets.
  @Test(arguments: Refusal.all, [4, 16, 64])
  func `a limit of concurrent requests costs no record`(refusal: Refusal, jobs: Int) {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let time = VirtualTime(seed: seed)
      let timeline = time.timeline()
      let slots = Int(seed % 3) + 2
      // Slow responses with even seeds, fast ones with odd seeds.
      let unit = seed % 2 == 0 ? 1_000 : 50
      let state = Mutex((ends: [Duration](), random: SplitMix64(seed: seed)))
      let transport = ScriptedTransport(timeline: timeline) { request in
        let duration = state.withLock { state -> Duration? in
          state.ends.removeAll { $0 <= timeline.now }
          guard state.ends.count < slots else { return nil }
          let duration = Duration.milliseconds(unit * Int.random(in: 3...8, using: &state.random))
          state.ends.append(timeline.now + duration)
          return duration
        }
        guard let duration else {
          return .init(after: .milliseconds(5), .success(refusal.response(to: request)))
        }
        return .init(
          after: duration,
          .success(TransportResponse(status: 200, headers: [:], body: [1], url: request.url)))
      }
      expectAllFetched((0..<60).map { "http://h/\($0)" }, from: transport, jobs: jobs, seed: seed, in: time)
    }
  }

  @Test(arguments: [4, 16, 64], [429, 503])
  func `a limit of requests per period costs no record, if the host names the end of the period`(
    jobs: Int, status: Int
  ) {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let time = VirtualTime(seed: seed)
      let timeline = time.timeline()
      let (most, period) = seed % 2 == 0 ? (10, 5) : (20, 2)
      let served = Mutex((period: Int64(0), count: 0))
      let transport = ScriptedTransport(timeline: timeline) { request in
        let now = Int64(timeline.now / .seconds(period))
        let isServed = served.withLock { served in
          if served.period != now { served = (now, 0) }
          served.count += 1
          return served.count <= most
        }
        let end = Duration.seconds((now + 1) * Int64(period))
        let refusal = Refusal(status: status, pause: Int(((end - timeline.now) / .seconds(1)).rounded(.up)))
        return .init(
          after: .milliseconds(20),
          .success(
            isServed
              ? TransportResponse(status: 200, headers: [:], body: [1], url: request.url)
              : refusal.response(to: request)))
      }
      expectAllFetched((0..<120).map { "http://h/\($0)" }, from: transport, jobs: jobs, seed: seed, in: time)
    }
  }

  @Test(arguments: [1, 4, 16, 64], [2, 5, 40, 60])
  func `a host that refuses each URL once and names no pause costs no record`(jobs: Int, records: Int) {
    for seed in 1...UInt64(TestScope.rounds(6, soak: 60)) {
      let time = VirtualTime(seed: seed)
      let requested = Mutex<Set<String>>([])
      let transport = ScriptedTransport(timeline: time.timeline()) { request in
        let isRefused = requested.withLock { $0.insert(request.url).inserted }
        return .init(
          after: .milliseconds(40),
          .success(
            isRefused
              ? Refusal(status: 503).response(to: request)
              : TransportResponse(status: 200, headers: [:], body: [1], url: request.url)))
      }
      expectAllFetched(
        (0..<records).map { "http://h/\($0)" }, from: transport, jobs: jobs, seed: seed, in: time)
    }
  }

  @Test(arguments: Refusal.all, [4, 64])
  func `a host that refuses every request gets few requests, and its records fail soon`(
    refusal: Refusal, jobs: Int
  ) {
    for seed in 1...4 as ClosedRange<UInt64> {
      let time = VirtualTime(seed: seed)
      let timeline = time.timeline()
      let transport = ScriptedTransport(timeline: timeline) { request in
        .init(after: .milliseconds(40), .success(refusal.response(to: request)))
      }
      let urls = (0..<2_000).map { "http://h/\($0)" }
      let results = results(of: urls, from: transport, jobs: jobs, seed: seed, in: time)
      #expect(results.count == 2_000 && results.allSatisfy { $0.outcome == .failed })
      #expect(timeline.now < .seconds(20) && transport.counters.started < jobs + 10, "seed \(seed)")
    }
  }

  @Test(arguments: Refusal.all, [4, 64])
  func `records that are always refused fail in the end, and all others are loaded`(
    refusal: Refusal, jobs: Int
  ) {
    for seed in 1...4 as ClosedRange<UInt64> {
      let time = VirtualTime(seed: seed)
      let timeline = time.timeline()
      let transport = ScriptedTransport(timeline: timeline) { request in
        let good = TransportResponse(status: 200, headers: [:], body: [1], url: request.url)
        return .init(
          after: .milliseconds(40),
          .success(request.url.contains("bad") ? refusal.response(to: request) : good))
      }
      var random = SplitMix64(seed: seed)
      let urls = (0..<30).map { "http://h/bad/\($0)" } + (0..<500).map { "http://h/\($0)" }
      let results = results(
        of: urls.shuffled(using: &random), from: transport, jobs: jobs, seed: seed, in: time)
      #expect(results.count == 530 && results.count { $0.outcome == .fetched } == 500)
      // A 429 without a pause takes the most: each of its records is requested sixteen times.
      #expect(timeline.now < .seconds(500) && transport.counters.started < 1_100)
    }
  }

  /// The refusals may be stored. While one is fresh, it answers further loads without a request.
  @Test(arguments: [429, 503], [nil, 1])
  func `a refusal that may be stored is not requested again and again`(status: Int, pause: Int?) {
    let time = VirtualTime(seed: 1)
    let transport = ScriptedTransport(timeline: time.timeline()) { request in
      var headers: HeaderFields = [:]
      if request.url.contains("bad") {
        headers = ["cache-control": "max-age=60"]
        if let pause { headers["retry-after"] = "\(pause)" }
      }
      let status = request.url.contains("bad") ? status : 200
      return .init(
        after: .milliseconds(40),
        .success(TransportResponse(status: status, headers: headers, body: [1], url: request.url)))
    }
    let urls = ["http://h/bad"] + (0..<200).map { "http://h/\($0)" }
    let results = results(of: urls, from: transport, jobs: 4, seed: 1, in: time)
    #expect(results.count == 201 && results.count { $0.outcome == .fetched } == 200)
    #expect(transport.counters.started < 220)
  }
}
