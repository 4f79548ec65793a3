internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("A batch in the order of the list, in virtual time")
struct OrderedResultsTests {
  @Test("a slow record delays no other, and its result keeps its position", arguments: [1, 3, 8])
  func order(jobs: Int) throws {
    let world = BatchWorld(jobs: jobs)
    let records = (0..<60).map { "http://h/\($0)" }
    for (index, url) in records.enumerated() {
      world.origin.script(url, .fresh.after(.seconds(index % 7 == 3 ? 40 : index % 3)))
    }
    let urls = records + ["no url", "http://h/0"]
    let results = try world.results(of: urls, jobs: jobs, isOrdered: true)
    #expect(results.map(\.index) == Array(1...62))
    #expect(world.origin.counters.mostAtOnce == jobs)
  }

  @Test func `records beyond the window wait for a slow one, and continue after it`() throws {
    let most = ResultOrder<BatchResult>.mostWaiting
    let urls = ["http://h/slow"] + (0..<most + 500).map { "no url \($0)" }
    let world = BatchWorld(jobs: 2)
    world.origin.script("http://h/slow", .fresh.after(.seconds(30)))
    let ended = Mutex<[Int]>([])
    let run = BatchRun(
      ListSource(urls: urls), BatchWork(BatchWork.Options(picture: nil), bytes: world.bytes, output: nil),
      isOrdered: true
    ) { result in
      ended.withLock { $0.append(result.index) }
      return true
    }
    let early = Mutex(0)
    try #require(
      world.time.run {
        async let otherShards = run.run(jobs: 2)
        try? await world.timeline.sleep(for: .seconds(20))
        early.withLock { $0 = ended.withLock(\.count) }
        return await otherShards
      } == 0)
    #expect(early.withLock(\.self) == 0 && ended.withLock(\.self) == Array(1...urls.count))
  }

  @Test func `a cancelled run delivers the finished results in order`() throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/2", .fresh.after(.seconds(90)))
    world.origin.script("http://h/5", .fresh.after(.seconds(80)))
    let ended = Mutex<[Int]>([])
    let run = BatchRun(
      ListSource(urls: (1...5).map { "http://h/\($0)" }),
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

  @Test("each record is processed in one shard, also an invalid one", arguments: [Shard.Key.url, .host])
  func shards(key: Shard.Key) throws {
    let urls =
      (0..<40).map { "http://h\($0 % 9)/\($0)" } + [
        "http://H1:80/1", "no url", "also none", "http://h1/1#x", "",
      ]
    var indexes: [Int] = []
    for number in 0..<3 {
      let world = BatchWorld()
      let shard = Shard(parsing: "\(number)/3", key: key)
      let run = try world.run(of: urls, jobs: 3, shard: shard, isOrdered: number == 1)
      indexes += run.results.map(\.index)
      #expect(run.results.count + run.otherShards == urls.count)
      #expect(
        run.results.count { $0.outcome == .duplicate } == (run.results.contains { $0.index == 2 } ? 2 : 0))
    }
    #expect(indexes.sorted() == Array(1...urls.count))
  }
}
