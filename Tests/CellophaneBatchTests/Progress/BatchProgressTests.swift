internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("How far a batch is, in virtual time", .timeLimit(.minutes(1)))
struct BatchProgressTests {
  /// What was told at one moment.
  struct Look {
    let share: Double?
    let left: Duration?
    let results: Int
    let throttles: [HostThrottle]
  }

  /// What was told so far.
  private final class Looks: Sendable {
    let results = Atomic<Int>(0)
    let all = Mutex<(pace: BatchPace, looks: [Look])>((BatchPace(), []))

    func update(at progress: BatchProgress, now: Duration) {
      let (share, count) = (progress.share, results.load(ordering: .relaxed))
      all.withLock { all in
        all.pace.note(records: count, bytes: 0, share: share, at: now)
        all.looks.append(
          Look(share: share, left: all.pace.remaining, results: count, throttles: progress.throttles))
      }
    }
  }

  /// Looks at a run of `lines` every second.
  func looks(at lines: [String], jobs: Int, shard: Shard? = nil, isOrdered: Bool = false) throws -> [Look] {
    let world = BatchWorld(jobs: jobs)
    let timeline = world.timeline
    let looks = Looks()
    let order = BatchWork.Options(picture: nil, shard: shard)
    let run = BatchRun(
      ListSource(urls: lines), BatchWork(order, bytes: world.bytes, output: nil, seed: 1),
      isOrdered: isOrdered
    ) { _ in
      looks.results.wrappingAdd(1, ordering: .relaxed)
      return true
    }
    try #require(
      world.time.run {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            while (try? await timeline.sleep(for: .seconds(1))) != nil {
              looks.update(at: run.progress, now: timeline.now)
            }
          }
          _ = await run.run(jobs: jobs)
          group.cancelAll()
        }
      } != nil)
    #expect(run.progress.share == 1)
    return looks.all.withLock(\.looks)
  }

  @Test("a list shorter than what is read ahead is not done as soon as it is read", arguments: [1, 3])
  func slowOrigin(jobs: Int) throws {
    // 40 seconds of so many lines each.
    let lines = ["http://h/slow/0/0"] + (0..<40 * jobs).map { "http://h/slow/\($0)/1" }
    let looks = try looks(at: lines, jobs: jobs)
    #expect(looks.count >= 39)
    for (index, look) in looks.enumerated() where look.results < lines.count {
      let share = try #require(look.share)
      #expect(share < 1 && abs(share - Double(look.results) / Double(lines.count)) < 0.001)
      guard index >= 10 else { continue }
      let left = try #require(look.left)
      #expect(left > .zero && abs(left / .seconds(1) - Double(40 - index)) < 4)
    }
  }

  @Test("the last line is waited for, in whichever order results come", arguments: [false, true])
  func lastLine(isOrdered: Bool) throws {
    let lines = ["http://h/slow/1/30", "no url"] + (0..<50).map { "http://h/\($0 % 40)" }
    let looks = try looks(at: lines, jobs: 4, isOrdered: isOrdered)
    #expect(looks.count >= 29 && looks.allSatisfy { $0.share == 51.0 / 52 })
  }

  @Test func `lines of other shards are done with as they are read`() throws {
    let lines = (0..<60).map { "http://h/slow/\($0)/1" }
    let looks = try looks(at: lines, jobs: 1, shard: Shard(parsing: "1/2"))
    let shares = looks.compactMap(\.share)
    #expect((15...45).contains(looks.count) && shares.count == looks.count)
    #expect(shares == shares.sorted() && shares.dropLast(1).allSatisfy { $0 < 1 })
  }

  @Test func `hosts that are left alone are told, and for how long still, and those that get fewer at once`()
    throws
  {
    // A pause of which the lines wait, one that the loader waits for itself, one that asks for nothing, and a good one.
    let lines =
      ["http://busy/busy/1/60", "http://brief/busy/1/8", "http://weak/once/1"]
      + (0..<8).map { "http://weak/slow/\($0)/10" } + (0..<50).map { "http://good/slow/\($0)/1" }
    let looks = try looks(at: lines, jobs: 8)
    let early = looks[4].throttles
    #expect(early.map(\.host) == ["busy", "brief", "weak"], "\(early)")
    #expect(early.prefix(2).map { Int(($0.pause ?? .zero) / .seconds(1)) } == [55, 3], "\(early)")
    #expect(early.last?.pause == nil && early.last?.limit == 4 && early.first?.limit == 4, "\(early)")
    // The loader has waited for its own; who has nothing to do is in nobody's way.
    #expect(looks[50].throttles.map(\.host) == ["busy"])
  }
}
