internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Whose turn it is", .timeLimit(.minutes(1)))
struct TurnsTests {
  /// Who has been given what, and when.
  struct Ledger: Sendable {
    var running: [String: Int] = [:]
    var most: [String: Int] = [:]
    var ended: [String: Duration] = [:]
    var pausedUntil: [String: Duration] = [:]
    var tooEarly = 0
  }

  /// All lines of these tests ask for something, whatever they say.
  static let claim: @Sendable (ListRecord) -> BatchWork.Claim = { record in
    let request =
      (try? Request(record.url, options: ImageOptions()))
      ?? (try? Request("http://junk/", options: ImageOptions()))
    return request.map { .load($0) } ?? .finished(.cancelled)
  }

  static func host(of turn: HostScheduler.Assignment) -> String { turn.host ?? "" }

  /// Works `urls` off in virtual time.
  ///
  /// - Parameter serve: How long a line takes, and the pause its host then asks for.
  func ledger(
    of urls: [String], jobs: Int, perHost: Int,
    serve: @escaping @Sendable (HostScheduler.Assignment) -> (Duration, pause: Duration?)
  ) -> Ledger {
    let time = VirtualTime()
    let timeline = time.timeline()
    let turns = HostScheduler(ListSource(urls: urls), perHost: perHost, timeline: timeline, claim: Self.claim)
    let ledger = Mutex(Ledger())
    let jobsLeft = Mutex(jobs)
    for _ in 0..<jobs {
      timeline.spawn { @Sendable in
        while let turn = await turns.next() {
          let host = Self.host(of: turn)
          let start = timeline.now
          ledger.withLock { ledger in
            let running = ledger.running[host, default: 0] + 1
            ledger.running[host] = running
            ledger.most[host] = max(ledger.most[host] ?? 0, running)
            if let end = ledger.pausedUntil[host], start < end { ledger.tooEarly += 1 }
          }
          let (duration, pause) = serve(turn)
          try? await timeline.sleep(for: duration)
          ledger.withLock { $0.running[host, default: 0] -= 1 }
          if let pause,
            turns.retry(
              turn, .init(ofHost: .refused, refusingHost: host, asksForPause: true), after: pause, attempts: 1
            )
          {
            ledger.withLock { ledger in
              ledger.pausedUntil[host] = max(ledger.pausedUntil[host] ?? .zero, timeline.now + pause)
            }
          } else {
            ledger.withLock { ledger in
              #expect(ledger.ended.updateValue(timeline.now, forKey: turn.record.url) == nil)
            }
            turns.finish(turn, .init(ofHost: .answered(firstByte: duration)))
          }
        }
        jobsLeft.withLock { $0 -= 1 }
      }
    }
    time.run()
    #expect(jobsLeft.withLock(\.self) == 0)
    return ledger.withLock(\.self)
  }

  @Test(arguments: 0..<200)
  func `every line has its turn, within the limits, and never during a pause`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let (hosts, jobs, perHost) = (
      Int.random(in: 1...8, using: &random), Int.random(in: 1...24, using: &random),
      Int.random(in: 1...8, using: &random)
    )
    let urls = (0..<Int.random(in: 0...300, using: &random)).map { number in
      Int.random(in: 0..<30, using: &random) == 0
        ? "junk \(number)" : "http://h\(Int.random(in: 0..<hosts, using: &random))/\(number)"
    }
    let shared = Mutex(random)
    let ledger = ledger(of: urls, jobs: jobs, perHost: perHost) { turn in
      shared.withLock { random in
        let isRefused = turn.previousAttempts < 2 && Int.random(in: 0..<10, using: &random) == 0
        return (
          .milliseconds(Int.random(in: 0...3_000, using: &random)),
          isRefused ? .milliseconds(Int.random(in: 0...20_000, using: &random)) : nil
        )
      }
    }
    #expect(Set(ledger.ended.keys) == Set(urls), "seed \(seed)")
    #expect(ledger.running.values.allSatisfy { $0 == 0 }, "seed \(seed)")
    #expect(ledger.most.values.allSatisfy { $0 <= perHost }, "seed \(seed)")
    #expect(ledger.tooEarly == 0, "seed \(seed)")
  }

  @Test func `a slow host holds nobody up`() {
    let slow = (0..<500).map { "http://slow/\($0)" }
    let fast = (0..<500).map { "http://fast/\($0)" }
    let ledger = ledger(of: slow + fast, jobs: 8, perHost: 4) { turn in
      (Self.host(of: turn) == "slow" ? .seconds(10) : .milliseconds(10), nil)
    }
    // 500 of 10 ms, four at once, as if they were alone.
    let end = fast.compactMap { ledger.ended[$0] }.max() ?? .zero
    #expect(end <= .milliseconds(1_250 + 10))
  }

  @Test(arguments: [false, true])
  func `a slow host gets half of all places, and only those that nobody else wants besides`(isMixed: Bool) {
    let slow = (0..<500).map { "http://slow/\($0)" }
    let fast = (0..<2_000).map { "http://fast/\($0)" }
    let urls = isMixed ? zip(slow, fast).flatMap { [$0, $1] } + fast.dropFirst(500) : slow + fast
    let ledger = ledger(of: urls, jobs: 16, perHost: 16) { turn in
      (Self.host(of: turn) == "slow" ? .seconds(10) : .milliseconds(10), nil)
    }
    // 2 000 of 10 ms, eight at once; and what the first rounds take.
    let end = fast.compactMap { ledger.ended[$0] }.max() ?? .zero
    #expect(end <= .milliseconds(2_500 + 500))
    #expect(ledger.most["slow"] == 16)
  }

  @Test func `lines wait in so many bytes at most`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    // 100 MB in all.
    let url = "http://h/" + String(repeating: "x", count: 100_000)
    let source = ListSource(urls: [String](repeating: url, count: 1_000))
    let turns = HostScheduler(source, perHost: 1, timeline: timeline, claim: Self.claim)
    let done = Mutex(0)
    for _ in 0..<2 {
      timeline.spawn { @Sendable in
        while let turn = await turns.next() {
          try? await timeline.sleep(for: .seconds(1))
          turns.finish(turn, .init())
          let (finished, read) = (
            done.withLock {
              $0 += 1; return $0
            }, (source.share ?? 1) * 1_000
          )
          #expect(read - Double(finished) <= Double(HostScheduler.mostBytes / 100_000 + 2))
        }
      }
    }
    time.run()
    #expect(done.withLock(\.self) == 1_000 && timeline.now == .seconds(1_000))
  }

  @Test func `hosts take turns`() {
    let urls = (0..<100).map { "http://a/\($0)" } + (0..<100).map { "http://b/\($0)" }
    let ledger = ledger(of: urls, jobs: 100, perHost: 2) { _ in (.milliseconds(10), nil) }
    #expect(ledger.ended["http://a/99"] == ledger.ended["http://b/99"])
  }

  @Test func `a host that pauses comes last, in order, and the pause is waited for`() {
    let urls = ["http://a/1", "http://a/2", "http://b/1", "http://b/2"]
    let ledger = ledger(of: urls, jobs: 1, perHost: 1) { turn in
      let isFirst = turn.record.url == "http://a/1" && turn.previousAttempts == 0
      return (.seconds(1), isFirst ? .seconds(60) : nil)
    }
    let ends = urls.map { ledger.ended[$0] }
    #expect(ends == [.seconds(62), .seconds(63), .seconds(2), .seconds(3)])
  }

  @Test func `one who is cancelled leaves what it was woken for to another`() async {
    for seed in 0..<100 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let time = VirtualTime()
      let timeline = time.timeline()
      let turns = HostScheduler(
        ListSource(urls: (0..<40).map { "http://h/\($0)" }), perHost: 3, timeline: timeline,
        claim: Self.claim)
      let done = Mutex(0)
      var tasks: [Task<Void, Never>] = []
      for _ in 0..<6 {
        tasks.append(
          timeline.spawn { @Sendable in
            while let turn = await turns.next() {
              try? await timeline.sleep(for: .seconds(1))
              turns.finish(turn, .init())
              done.withLock { $0 += 1 }
            }
          })
      }
      // All but one, at any moment.
      for task in tasks.dropFirst() {
        let moment = Duration.milliseconds(Int.random(in: 0...15_000, using: &random))
        timeline.spawn { @Sendable in
          try? await timeline.sleep(for: moment)
          task.cancel()
        }
      }
      time.run()
      #expect(done.withLock(\.self) == 40, "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("http://Host:80/a", "host"), ("https://h?x", "h"), ("http://h:443/", "h:443"),
    ("http://[::1]/", "[::1]"),
    ("file:///x", ""),
  ])
  func hosts(url: String, host: String) throws {
    #expect(HostScheduler.host(of: try Request(url, options: ImageOptions())) == host)
  }
}
