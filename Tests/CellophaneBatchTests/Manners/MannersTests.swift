internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Manners of a batch, in virtual time")
struct MannersTests {
  @Test(arguments: [1, 4], [false, true])
  func `a host that asks for a pause gets it, and nobody else waits`(jobs: Int, isOrdered: Bool) throws {
    let busy = (0..<20).map { "http://busy/busy/\($0)/60" }
    let other = (0..<200).map { "http://other/slow/\($0)/1" }
    let world = BatchWorld(jobs: jobs)
    let results = try world.results(of: busy + other, jobs: jobs, isOrdered: isOrdered)
    #expect(results.count == 220)
    #expect(results.allSatisfy { $0.outcome == .fetched })
    // The first who ask are told; while they wait, nobody asks.
    let asked = results.filter { $0.host == "http://busy" }.reduce(0) { $0 + ($1.attempts ?? 0) }
    #expect((21...20 + jobs).contains(asked), "\(asked)")
    // 200 of a second each; the pause passes meanwhile.
    let whole = Duration.seconds(max(60, 200 / jobs))
    #expect(world.timeline.now >= whole && world.timeline.now <= whole + .seconds(2))
  }

  @Test func `a pause of hours is not waited for`() throws {
    let world = BatchWorld()
    let results = try world.results(of: (0..<50).map { "http://h/busy/\($0)/7200" })
    #expect(results.allSatisfy { $0.outcome == .failed && $0.failure?.error.retryable == true })
    #expect(results.first?.failure?.error.retryAfter_s == 7_200)
    #expect(world.timeline.now < .seconds(1))
    // Nor is it asked fifty times.
    #expect(world.transport.counters.started <= 4)
  }

  @Test func `what is not asked for, because its host is to be left alone, has no tries`() throws {
    let world = BatchWorld()
    let results = try world.results(of: (0..<50).map { "http://h/busy/\($0)/7200" })
    let tries = results.reduce(0) { $0 + ($1.attempts ?? 0) }
    #expect(tries == world.transport.counters.started && tries <= 4)
    #expect(results.allSatisfy { $0.attempts != 0 })
  }

  @Test func `who asks for pauses again and again is left in the end`() throws {
    // Always 60 s from now.
    let time = VirtualTime()
    let timeline = time.timeline()
    let transport = ScriptedTransport(timeline: timeline) { request in
      .init(
        .success(
          TransportResponse(status: 429, headers: ["retry-after": "60"], body: [], url: request.url)))
    }
    let bytes = ByteLoader(transport: transport, disk: nil, timeline: timeline)
    let told = Mutex(0)
    let run = BatchRun(
      ListSource(urls: (0..<1_000).map { "http://h/\($0)" }),
      BatchWork(BatchWork.Order(picture: nil), bytes: bytes, output: nil)
    ) { result in
      #expect(result.failure?.error.kind == "status")
      told.withLock { $0 += 1 }
      return true
    }
    #expect(time.run { await run.run(jobs: 2) } == 0)
    #expect(told.withLock(\.self) == 1_000)
    // Two pauses for the host, not for each line.
    #expect(timeline.now == .seconds(120))
    #expect(transport.counters.started <= 2 + 1 + 1)
  }

  @Test("One that never answers holds up nobody, wherever its lines stand", arguments: [false, true])
  func stalledHost(isMixed: Bool) throws {
    let stalled = (0..<100).map { "http://stalled/slow/\($0)/60" }
    let other = (0..<2_000).map { "http://other/\($0)" }
    let lines = isMixed ? zip(stalled, other).flatMap { [$0, $1] } + other.dropFirst(100) : stalled + other
    let world = BatchWorld(jobs: 16)
    let results = try world.results(of: lines, jobs: 16)
    #expect(results.count == 2_100)
    #expect(results.prefix(2_000).allSatisfy { $0.host == "http://other" })
    // Alone it gets all there is, after the first answers.
    #expect(world.transport.counters.mostAtOnce == 16)
  }

  @Test func `a slow host gets no more than its share of the jobs`() throws {
    let slow = (0..<40).map { "http://slow/slow/\($0)/10" }
    let fast = (0..<40).map { "http://fast/slow/\($0)/1" }
    let world = BatchWorld(jobs: 4)
    let results = try world.results(of: slow + fast, jobs: 4, perHost: 2)
    let lastFast = results.lastIndex { $0.host == "http://fast" } ?? 0
    // 20 s of the fast one, two of the slow one's at once.
    #expect(lastFast < 40 + 6)
  }
}
