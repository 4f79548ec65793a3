internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("Records that fail alone, in virtual time")
struct SingleFailureTests {
  enum Position: CaseIterable { case first, middle, last, scattered }

  private func list(good: Int, bad: [String], at position: Position) -> [String] {
    var urls = (0..<good).map { "http://h/good/\($0)" }
    switch position {
    case .first: urls = bad + urls
    case .middle: urls.insert(contentsOf: bad, at: good / 2)
    case .last: urls += bad
    case .scattered: for (index, url) in bad.enumerated() { urls.insert(url, at: index * good / bad.count) }
    }
    return urls
  }

  @Test(arguments: Position.allCases, [1, 20])
  func `records that hang cost their own time only`(position: Position, count: Int) throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/good/*", .fresh.after(.milliseconds(50)))
    world.origin.script("http://h/hang/*", .failure(.timeout).after(.seconds(10)))
    let urls = list(good: 40, bad: (0..<count).map { "http://h/hang/\($0)" }, at: position)
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == urls.count && results.count { $0.outcome == .fetched } == 40)
    #expect(results.filter { $0.outcome == .failed }.allSatisfy { $0.attempts == 1 })
    // Twenty records in sixteen slots take two rounds.
    #expect(world.timeline.now < .seconds(count == 1 ? 11 : 21), "\(world.timeline.now)")
  }

  @Test(arguments: Position.allCases, [429, 503])
  func `a record that is refused alone delays no other`(position: Position, status: Int) throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/good/*", .fresh.after(.milliseconds(50)))
    world.origin.script("http://h/bad/*", .status(status, ["retry-after": "60"]).after(.milliseconds(20)))
    let urls = list(good: 30, bad: ["http://h/bad/0"], at: position)
    var times: [Duration] = []
    let results = try world.results(of: urls, jobs: 16)
    for result in results where result.outcome == .fetched { times.append(result.duration) }
    #expect(results.count == 31 && times.count == 30)
    #expect(times.allSatisfy { $0 < .seconds(2) }, "\(times.max() ?? .zero)")
    #expect(results.last?.outcome == .failed && world.timeline.now < .seconds(130), "\(world.timeline.now)")
  }

  @Test(arguments: [1, 4, 16], Position.allCases)
  func `a host keeps its slots, however many of its records hang`(jobs: Int, position: Position) throws {
    let world = BatchWorld(jobs: jobs)
    world.origin.script("http://h/good/*", .fresh.after(.milliseconds(50)))
    world.origin.script("http://h/hang/*", .failure(.timeout).after(.seconds(10)))
    let urls = list(good: 40, bad: (0..<20).map { "http://h/hang/\($0)" }, at: position)
    let results = try world.results(of: urls, jobs: jobs)
    #expect(results.count { $0.outcome == .fetched } == 40)
    // The rounds of the records that hang, and a tenth for pauses. At the end of the list, no answer shows that the host
    // works, so it receives fewer requests.
    let rounds = (20 + jobs - 1) / jobs
    let most = Double(10 * rounds) * (position == .last ? 1.3 : 1.1) + 1
    #expect(world.timeline.now < .seconds(most), "\(world.timeline.now)")
  }

  @Test(
    arguments: [1, 2, 5, 20],
    [ScriptedTransport.Answer.pause(1), .refusal, .status(429), .failure(.connectionLost)])
  func `no record has more requests than its tries`(tries: Int, answer: ScriptedTransport.Answer) throws {
    let world = BatchWorld(toolWith: 4, seed: 2, order: 2)
    world.origin.script("http://h/bad/*", answer)
    var limits = BatchLimits()
    limits.tries = tries
    let urls = list(good: 40, bad: (0..<3).map { "http://h/bad/\($0)" }, at: .scattered)
    let attempts = Mutex<[Int]>([])
    let run = BatchRun(
      ListSource(urls: urls),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil, seed: 1), limits
    ) { result in
      if result.outcome == .failed { attempts.withLock { $0.append(result.attempts ?? 0) } }
      return true
    }
    _ = world.time.run { await run.run(jobs: 4) }
    let counts = attempts.withLock(\.self)
    #expect(counts.count == 3 && counts.allSatisfy { (min(tries, 2)...tries).contains($0) }, "\(counts)")
  }

  @Test(arguments: [500, 502, 503, 429], [4, 16])
  func `records that always fail leave a host its slots`(status: Int, jobs: Int) throws {
    let world = BatchWorld(toolWith: jobs, seed: 2, order: 2)
    world.origin.script("http://h/good/*", .fresh.after(.milliseconds(40)))
    world.origin.script("http://h/bad/*", .status(status).after(.milliseconds(40)))
    let urls = list(good: 1_600, bad: (0..<20).map { "http://h/bad/\($0)" }, at: .scattered)
    let results = try world.results(of: urls, jobs: jobs)
    #expect(results.count { $0.outcome == .fetched } == 1_600 && results.count == 1_620)
    let end = Duration.milliseconds(40) * 1_600 / jobs
    // Records with 429 wait for up to 60 s.
    #expect(world.timeline.now < end * 1.2 + .seconds(status == 429 ? 70 : 6), "\(world.timeline.now)")
    #expect(world.origin.counters.started < 1_600 + 20 * 8, "\(world.origin.counters.started)")
  }

  @Test func `three refused records among twenty fail no other`() throws {
    let world = BatchWorld(jobs: 16)
    world.origin.script("http://h/bad/*", .status(429, ["retry-after": "60"]))
    let urls = list(good: 17, bad: (0..<3).map { "http://h/bad/\($0)" }, at: .scattered)
    let results = try world.results(of: urls, jobs: 16)
    #expect(results.count == 20 && results.count { $0.outcome == .fetched } == 17)
  }

  /// Any mixture of hanging, refused, failing and good records.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `each record has one result, within the limit of its host`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let jobs = [1, 4, 16][Int(random.next() % 3)]
    let world = BatchWorld(toolWith: jobs, seed: seed, order: seed)
    let answers: [ScriptedTransport.Answer] = [
      .fresh, .fresh.after(.milliseconds(30)), .failure(.timeout).after(.seconds(10)), .pause(5), .refusal,
      .status(429), .missing, .failure(.connectionLost),
    ]
    let urls = (0..<120).map { "http://h\($0 % 3)/\($0)" }
    for url in urls {
      let answer = answers[Int(random.next() % UInt64(answers.count))]
      let isShort = random.next() % 2 == 0
      if isShort { world.origin.script(url, answer, .fresh) } else { world.origin.script(url, answer) }
    }
    let results = try world.results(of: urls, jobs: jobs)
    #expect(Set(results.map(\.position)).count == 120 && results.count == 120)
    #expect(world.origin.counters.mostAtOnce <= jobs)
  }

  @Test func `the run ends after its time, and keeps its results`() throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/*", .fresh.after(.seconds(1)))
    var limits = BatchLimits()
    limits.time = .milliseconds(2_500)
    let results = Mutex(0)
    let run = BatchRun(
      ListSource(urls: (0..<100).map { "http://h/\($0)" }),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil, seed: 1), limits
    ) { _ in
      results.withLock { $0 += 1 }
      return true
    }
    _ = world.time.run { await run.run(jobs: 4) }
    #expect(run.progress.isOutOfTime && (1...8).contains(results.withLock(\.self)))
    #expect(world.timeline.now < .seconds(4))
  }

  @Test(arguments: [(BatchLimits.rate(10), 19.9), (.bytesPerSecond(100), 24)])
  func `a run keeps the given rate`(limits: BatchLimits, seconds: Double) throws {
    let world = BatchWorld(jobs: 4)
    let run = BatchRun(
      ListSource(urls: (0..<200).map { "http://h/\(100 + $0)" }),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil, seed: 1), limits
    ) { _ in true }
    _ = world.time.run { await run.run(jobs: 4) }
    #expect(abs(world.timeline.now / .seconds(1) - seconds) < 3, "\(world.timeline.now)")
    #expect(!run.progress.isOutOfTime)
  }
}

extension BatchLimits {
  fileprivate static func rate(_ rate: Double) -> Self {
    var limits = Self()
    limits.rate = rate
    return limits
  }

  fileprivate static func bytesPerSecond(_ rate: Double) -> Self {
    var limits = Self()
    limits.bytesPerSecond = rate
    return limits
  }
}
