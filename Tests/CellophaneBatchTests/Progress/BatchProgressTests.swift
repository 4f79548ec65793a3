internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

@Suite("The progress of a batch, in virtual time", .timeLimit(.minutes(1)))
struct BatchProgressTests {
  /// The reported progress at one time.
  struct Sample {
    let share: Double?
    let remaining: Duration?
    let results: Int
    let throttles: [HostThrottle]
  }

  /// The samples of a run, and the number of its results so far.
  private final class Samples: Sendable {
    let results = Atomic<Int>(0)
    let all = Mutex<(pace: BatchPace, samples: [Sample])>((BatchPace(), []))

    func update(at progress: BatchProgress, now: Duration) {
      let (share, count) = (progress.share, results.load(ordering: .relaxed))
      all.withLock { all in
        all.pace.note(records: count, bytes: 0, share: share, at: now)
        all.samples.append(
          Sample(share: share, remaining: all.pace.remaining, results: count, throttles: progress.throttles))
      }
    }
  }

  /// Runs a batch over `urls`, and returns a sample for each second.
  func samples(
    of urls: [String], in world: BatchWorld, jobs: Int, shard: Shard? = nil, isOrdered: Bool = false
  ) throws -> [Sample] {
    let timeline = world.timeline
    let samples = Samples()
    let options = BatchWork.Options(picture: nil, shard: shard)
    let run = BatchRun(
      ListSource(urls: urls), BatchWork(options, bytes: world.bytes, output: nil, seed: 1),
      isOrdered: isOrdered
    ) { _ in
      samples.results.wrappingAdd(1, ordering: .relaxed)
      return true
    }
    try #require(
      world.time.run {
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            while (try? await timeline.sleep(for: .seconds(1))) != nil {
              samples.update(at: run.progress, now: timeline.now)
            }
          }
          _ = await run.run(jobs: jobs)
          group.cancelAll()
        }
      } != nil)
    #expect(run.progress.share == 1)
    return samples.all.withLock(\.samples)
  }

  @Test("a list that is read completely at once is not reported as done", arguments: [1, 3])
  func slowOrigin(jobs: Int) throws {
    // 40 seconds with one record per job.
    let world = BatchWorld(jobs: jobs)
    world.origin.script("http://h/slow/*", .fresh.after(.seconds(1)))
    let urls = ["http://h/first"] + (0..<40 * jobs).map { "http://h/slow/\($0)" }
    let samples = try samples(of: urls, in: world, jobs: jobs)
    #expect(samples.count >= 39)
    for (index, sample) in samples.enumerated() where sample.results < urls.count {
      let share = try #require(sample.share)
      #expect(share < 1 && abs(share - Double(sample.results) / Double(urls.count)) < 0.001)
      guard index >= 10 else { continue }
      let remaining = try #require(sample.remaining)
      #expect(remaining > .zero && abs(remaining / .seconds(1) - Double(40 - index)) < 4)
    }
  }

  @Test(
    "the progress is below 1 until the last record ends, for any order of the results",
    arguments: [false, true])
  func lastRecord(isOrdered: Bool) throws {
    let world = BatchWorld(jobs: 4)
    world.origin.script("http://h/slow", .fresh.after(.seconds(30)))
    let urls = ["http://h/slow", "no url"] + (0..<50).map { "http://h/\($0 % 40)" }
    let samples = try samples(of: urls, in: world, jobs: 4, isOrdered: isOrdered)
    #expect(samples.count >= 29 && samples.allSatisfy { $0.share == 51.0 / 52 })
  }

  @Test func `records of other shards count as done when they are read`() throws {
    let world = BatchWorld(jobs: 1)
    world.origin.script("*", .fresh.after(.seconds(1)))
    let urls = (0..<60).map { "http://h/\($0)" }
    let samples = try samples(of: urls, in: world, jobs: 1, shard: Shard(parsing: "1/2"))
    let shares = samples.compactMap(\.share)
    #expect((15...45).contains(samples.count) && shares.count == samples.count)
    #expect(shares == shares.sorted() && shares.dropLast(1).allSatisfy { $0 < 1 })
  }

  @Test func `paused hosts are reported with the remaining time, then hosts with a lowered limit`()
    throws
  {
    // A pause for which the records wait, a pause for which the loader waits, a refusal without a pause, and a
    // host without failures.
    let world = BatchWorld(jobs: 8)
    world.script("http://busy/", pausingUntil: .seconds(60))
    world.script("http://brief/", pausingUntil: .seconds(8))
    world.origin.script("http://weak/refused", .refusal, .fresh)
    world.origin.script("http://weak/*", .fresh.after(.seconds(10)))
    world.origin.script("http://good/*", .fresh.after(.seconds(1)))
    let urls =
      ["http://busy/1", "http://brief/1", "http://weak/refused"] + (0..<8).map { "http://weak/\($0)" }
      + (0..<50).map { "http://good/\($0)" }
    let samples = try samples(of: urls, in: world, jobs: 8)
    let early = samples[4].throttles
    #expect(early.map(\.host) == ["busy", "brief", "weak"], "\(early)")
    #expect(early.prefix(2).map { Int(($0.pause ?? .zero) / .seconds(1)) } == [55, 3], "\(early)")
    #expect(early.last?.pause == nil && early.last?.limit == 4 && early.first?.limit == 4, "\(early)")
    // The pause of the loader is over, and a host without records is not reported.
    #expect(samples[50].throttles.map(\.host) == ["busy"])
  }
}
