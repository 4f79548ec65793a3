internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("A batch in the order of the list, in virtual time")
struct OrderedRunTests {
  @Test("a slow line holds no other up, and comes in its turn", arguments: [1, 3, 8])
  func order(jobs: Int) throws {
    let lines =
      (0..<60).map { "http://h/slow/\($0)/\($0 % 7 == 3 ? 40 : $0 % 3)" } + ["no url", "http://h/slow/0/0"]
    let world = BatchWorld(jobs: jobs)
    let results = try world.results(of: lines, jobs: jobs, isOrdered: true)
    #expect(results.map(\.index) == Array(1...62))
    #expect(world.transport.counters.mostAtOnce == jobs)
  }

  @Test func `nobody gets further ahead than the window, and the rest goes on behind it`() throws {
    let most = ResultOrder<BatchResult>.mostWaiting
    let lines = ["http://h/slow/30"] + (0..<most + 500).map { "no url \($0)" }
    let world = BatchWorld(jobs: 2)
    let ended = Mutex<[Int]>([])
    let run = BatchRun(
      ListSource(urls: lines), BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil),
      isOrdered: true
    ) { result in
      ended.withLock { $0.append(result.index) }
      return true
    }
    let early = Mutex(0)
    try #require(
      world.time.run {
        async let elsewhere = run.run(jobs: 2)
        try? await world.timeline.sleep(for: .seconds(20))
        early.withLock { $0 = ended.withLock(\.count) }
        return await elsewhere
      } == 0)
    #expect(early.withLock(\.self) == 0 && ended.withLock(\.self) == Array(1...lines.count))
  }

  @Test func `when it is cancelled, what was finished is told in order`() throws {
    let world = BatchWorld(jobs: 4)
    let ended = Mutex<[Int]>([])
    let run = BatchRun(
      ListSource(urls: ["http://h/1", "http://h/slow/90", "http://h/3", "http://h/4", "http://h/slow/80"]),
      BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil), isOrdered: true
    ) { result in
      ended.withLock { $0.append(result.index) }
      return true
    }
    let timeline = world.timeline
    try #require(
      world.time.run {
        await withTaskGroup(of: Void.self) { group in
          group.addTask { _ = await run.run(jobs: 4) }
          group.addTask { try? await timeline.sleep(for: .seconds(5)) }
          _ = await group.next()
          group.cancelAll()
        }
      } != nil)
    #expect(ended.withLock(\.self) == [1, 3, 4])
  }

  @Test("each line is worked off in one shard, the bad ones too", arguments: [Shard.Key.url, .host])
  func shards(key: Shard.Key) throws {
    let lines =
      (0..<40).map { "http://h\($0 % 9)/\($0)" } + [
        "http://H1:80/1", "no url", "also none", "http://h1/1#x", "",
      ]
    var told: [Int] = []
    for number in 0..<3 {
      let world = BatchWorld()
      let shard = Shard(parsing: "\(number)/3", key: key)
      let run = try world.run(of: lines, jobs: 3, shard: shard, isOrdered: number == 1)
      told += run.results.map(\.index)
      #expect(run.results.count + run.elsewhere == lines.count)
      #expect(
        run.results.count { $0.outcome == .duplicate } == (run.results.contains { $0.index == 2 } ? 2 : 0))
    }
    #expect(told.sorted() == Array(1...lines.count))
  }
}
