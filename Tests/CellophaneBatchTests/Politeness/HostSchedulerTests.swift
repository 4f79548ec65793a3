internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("The host scheduler", .timeLimit(.minutes(1)))
struct HostSchedulerTests {
  /// The running and the ended records of each host.
  struct Log: Sendable {
    var running: [String: Int] = [:]
    var most: [String: Int] = [:]
    var ended: [String: Duration] = [:]
    var pausedUntil: [String: Duration] = [:]
    var startsDuringPauses = 0
  }

  /// Claims a load for each record, also for one without a valid URL.
  static let claim: @Sendable (ListRecord) -> BatchWork.Claim = { record in
    let request =
      (try? Request(record.url, options: ImageOptions()))
      ?? (try? Request("http://junk/", options: ImageOptions()))
    return request.map { .load($0) } ?? .finished(.cancelled)
  }

  static func host(of assignment: HostScheduler.Assignment) -> String { assignment.host ?? "" }

  /// Processes `urls` in virtual time.
  ///
  /// - Parameter serve: Returns the time of an assignment, and the pause that the host then requests.
  func log(
    of urls: [String], jobs: Int, perHost: Int,
    serve: @escaping @Sendable (HostScheduler.Assignment) -> (Duration, pause: Duration?)
  ) -> Log {
    let time = VirtualTime()
    let timeline = time.timeline()
    let scheduler = HostScheduler(
      ListSource(urls: urls), perHost: perHost, timeline: timeline, claim: Self.claim)
    let log = Mutex(Log())
    let runningJobs = Mutex(jobs)
    for _ in 0..<jobs {
      timeline.spawn { @Sendable in
        while let assignment = await scheduler.next() {
          let host = Self.host(of: assignment)
          let start = timeline.now
          log.withLock { log in
            let running = log.running[host, default: 0] + 1
            log.running[host] = running
            log.most[host] = max(log.most[host] ?? 0, running)
            if let end = log.pausedUntil[host], start < end { log.startsDuringPauses += 1 }
          }
          let (duration, pause) = serve(assignment)
          try? await timeline.sleep(for: duration)
          log.withLock { $0.running[host, default: 0] -= 1 }
          if let pause,
            scheduler.retry(
              assignment, .init(ofHost: .refused, refusingHost: host, asksForPause: true), after: pause,
              attempts: 1
            )
          {
            log.withLock { log in
              log.pausedUntil[host] = max(log.pausedUntil[host] ?? .zero, timeline.now + pause)
            }
          } else {
            log.withLock { log in
              #expect(log.ended.updateValue(timeline.now, forKey: assignment.record.url) == nil)
            }
            scheduler.finish(assignment, .init(ofHost: .answered(firstByte: duration)))
          }
        }
        runningJobs.withLock { $0 -= 1 }
      }
    }
    time.run()
    #expect(runningJobs.withLock(\.self) == 0)
    return log.withLock(\.self)
  }

  @Test(arguments: 0..<200)
  func `each record is assigned once, within the limits and never during a pause`(seed: Int) {
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
    let log = log(of: urls, jobs: jobs, perHost: perHost) { assignment in
      shared.withLock { random in
        let isRefused = assignment.previousAttempts < 2 && Int.random(in: 0..<10, using: &random) == 0
        return (
          .milliseconds(Int.random(in: 0...3_000, using: &random)),
          isRefused ? .milliseconds(Int.random(in: 0...20_000, using: &random)) : nil
        )
      }
    }
    #expect(Set(log.ended.keys) == Set(urls), "seed \(seed)")
    #expect(log.running.values.allSatisfy { $0 == 0 }, "seed \(seed)")
    #expect(log.most.values.allSatisfy { $0 <= perHost }, "seed \(seed)")
    #expect(log.startsDuringPauses == 0, "seed \(seed)")
  }

  @Test func `a slow host does not delay another`() {
    let slow = (0..<500).map { "http://slow/\($0)" }
    let fast = (0..<500).map { "http://fast/\($0)" }
    let log = log(of: slow + fast, jobs: 8, perHost: 4) { assignment in
      (Self.host(of: assignment) == "slow" ? .seconds(10) : .milliseconds(10), nil)
    }
    // 500 records of 10 ms, four at once, as without the slow host.
    let end = fast.compactMap { log.ended[$0] }.max() ?? .zero
    #expect(end <= .milliseconds(1_250 + 10))
  }

  @Test(arguments: [false, true])
  func `a slow host gets half of all slots, and more only if no other host needs them`(isMixed: Bool) {
    let slow = (0..<500).map { "http://slow/\($0)" }
    let fast = (0..<2_000).map { "http://fast/\($0)" }
    let urls = isMixed ? zip(slow, fast).flatMap { [$0, $1] } + fast.dropFirst(500) : slow + fast
    let log = log(of: urls, jobs: 16, perHost: 16) { assignment in
      (Self.host(of: assignment) == "slow" ? .seconds(10) : .milliseconds(10), nil)
    }
    // 2 000 records of 10 ms, eight at once, and 500 ms for the first rounds.
    let end = fast.compactMap { log.ended[$0] }.max() ?? .zero
    #expect(end <= .milliseconds(2_500 + 500))
    #expect(log.most["slow"] == 16)
  }

  @Test func `queued records have a limited number of bytes`() {
    let time = VirtualTime()
    let timeline = time.timeline()
    // 100 MB in total.
    let url = "http://h/" + String(repeating: "x", count: 100_000)
    let source = ListSource(urls: [String](repeating: url, count: 1_000))
    let scheduler = HostScheduler(source, perHost: 1, timeline: timeline, claim: Self.claim)
    let done = Mutex(0)
    for _ in 0..<2 {
      timeline.spawn { @Sendable in
        while let assignment = await scheduler.next() {
          try? await timeline.sleep(for: .seconds(1))
          scheduler.finish(assignment, .init())
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
    let log = log(of: urls, jobs: 100, perHost: 2) { _ in (.milliseconds(10), nil) }
    #expect(log.ended["http://a/99"] == log.ended["http://b/99"])
  }

  @Test func `records of a paused host come after the pause, the refused one last`() {
    let urls = ["http://a/1", "http://a/2", "http://b/1", "http://b/2"]
    let log = log(of: urls, jobs: 1, perHost: 1) { assignment in
      let isFirst = assignment.record.url == "http://a/1" && assignment.previousAttempts == 0
      return (.seconds(1), isFirst ? .seconds(60) : nil)
    }
    let ends = urls.map { log.ended[$0] }
    #expect(ends == [.seconds(63), .seconds(62), .seconds(2), .seconds(3)])
  }

  @Test func `a cancelled worker passes its wake-up to another`() async {
    for seed in 0..<100 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let time = VirtualTime()
      let timeline = time.timeline()
      let scheduler = HostScheduler(
        ListSource(urls: (0..<40).map { "http://h/\($0)" }), perHost: 3, timeline: timeline,
        claim: Self.claim)
      let done = Mutex(0)
      var tasks: [Task<Void, Never>] = []
      for _ in 0..<6 {
        tasks.append(
          timeline.spawn { @Sendable in
            while let assignment = await scheduler.next() {
              try? await timeline.sleep(for: .seconds(1))
              scheduler.finish(assignment, .init())
              done.withLock { $0 += 1 }
            }
          })
      }
      // Cancels all workers but one, at random times.
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
  func `a host has its port, unless that is the default port`(url: String, host: String) throws {
    #expect(HostScheduler.host(of: try Request(url, options: ImageOptions())) == host)
  }
}
