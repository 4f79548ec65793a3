import Cellophane
import CellophaneTesting
import Testing

@testable import CellophaneResults

@Suite struct ScreenTests {
  static func metrics(_ observation: RunObservation) -> RunMetrics {
    RunMetrics([RunMeasurement(observation) { .row($0) }.overall])
  }

  @Test func `at rest, an image appears at the first vsync after its transfer`() throws {
    let scene = try Scene(profile: .constant(1), seconds: 1, limit: 0) { _ in .milliseconds(95) }
    let run = try #require(try scene.playCellophane())
    let metrics = Self.metrics(run.observation)
    // 7 rows and 6 concurrent transfers: six end after 95 ms, the seventh after 190 ms. Vsyncs 6 and 12 show them.
    #expect(metrics.timeToImage.count == 7)
    #expect(metrics.timeToImage[.p50].map { ($0 * 6).rounded() } == 600)
    #expect(metrics.timeToImage.longestEnded.map { ($0 * 6).rounded() } == 1200)
    #expect(metrics[.transfers] == 7)
    #expect(metrics[.lateFrames] == 0)
    #expect(run.frames.count == 60)
    #expect(run.observation.tally.elapsed.total.vsyncs == 60)
    #expect(run.left == 0)
  }

  @Test(arguments: [60, 120])
  func `an image without load time appears in the first frame or the next`(hertz: Int) throws {
    let scene = try Scene(profile: .skimmer, refreshRate: hertz) { _ in .zero }
    let metrics = Self.metrics(try #require(try scene.playCellophane()).observation)
    let longest = try #require(metrics.timeToImage.longest)
    #expect(longest < 1000.1 / Double(hertz))
    #expect(metrics[.misplacedEvents] == 0)
    #expect(metrics[.neverSeen] == 0)
  }

  @Test func `prefetched rows are ready when they appear`() throws {
    func ready(_ rowsAhead: Int) throws -> Double {
      let scene = try Scene(profile: .constant(500), rowsAhead: rowsAhead) { _ in .milliseconds(150) }
      let run = try #require(try scene.playCellophane())
      return Self.metrics(run.observation)[.readyOnAppear] ?? 0
    }
    // A slot is bound to its row 44 px, or 88 ms, before the image is visible. That is too short for a load of 150 ms.
    #expect(try ready(0) == 0)
    // All rows except those of the first screen.
    #expect(try ready(8) > 0.6)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `in any order of responses, no slot shows another row and no transfer remains`(seed: UInt64) throws {
    let draw = SeededDraw(seed: seed)
    let scene = try Scene(rows: 200, profile: .stress, seed: seed, rowsAhead: 4) { row in
      .milliseconds(Int64(draw.uniform(in: 0...900, "delay", row)))
    }
    let run = try #require(try scene.playCellophane())
    // Otherwise the seed would test nothing.
    #expect(run.observation.tally.slots.sums.total.superseded > 10, "seed \(seed)")
    let metrics = Self.metrics(run.observation)
    #expect(metrics[.misplacedEvents] == 0, "seed \(seed)")
    #expect(metrics[.misplacedMilliseconds] == 0, "seed \(seed)")
    #expect(metrics[.duplicateInFlight] == 0, "seed \(seed)")
    #expect(metrics[.refetchedBytes] == 0, "seed \(seed)")
    #expect(run.left == 0, "seed \(seed)")
  }

  @Test func `the naive loader shows wrong images, and their pixels identify them`() throws {
    let draw = SeededDraw(seed: 1)
    let scene = try Scene(rows: 200, profile: .stress) { row in
      .milliseconds(Int64(draw.uniform(in: 0...900, "delay", row)))
    }
    let run = try #require(try scene.playNaive())
    let metrics = Self.metrics(run.observation)
    #expect(metrics[.misplacedEvents] ?? 0 > 10)
    #expect(metrics[.misplacedMilliseconds] ?? 0 > 100)
    #expect(metrics[.cancelledTransfers] == 0)
    #expect(metrics[.transfers] == metrics[.slotRequests])
    #expect(run.left == 0)
  }

  @Test func `the same seed gives the same frames`() throws {
    func frames() throws -> [ScreenFrame] {
      let draw = SeededDraw(seed: 9)
      let scene = try Scene(rows: 100, profile: .browser, seed: 9, rowsAhead: 4) { row in
        .milliseconds(Int64(draw.uniform(in: 0...400, "delay", row)))
      }
      return try #require(try scene.playCellophane()).frames
    }
    #expect(try frames() == frames())
  }

  @Test func `both loaders show the same rows in each frame`() throws {
    func cells(_ play: (Scene) throws -> Scene.Played?) throws -> [[Int]] {
      let scene = try Scene(rows: 100, profile: .skimmer, seed: 3) { _ in .milliseconds(50) }
      return try #require(try play(scene)).frames.map { $0.cells.map(\.row) }
    }
    #expect(try cells { try $0.playCellophane() } == cells { try $0.playNaive() })
  }

  @Test func `the metrics of a run are consistent`() throws {
    let draw = SeededDraw(seed: 4)
    let scene = try Scene(rows: 200, profile: .stress, seed: 4, rowsAhead: 4) { row in
      .milliseconds(Int64(draw.uniform(in: 0...600, "delay", row)))
    }
    let run = try #require(try scene.playCellophane())
    let slots = run.observation.tally.slots.sums.total
    let metrics = Self.metrics(run.observation)
    #expect(metrics[.cancelledTransfers] ?? 0 < metrics[.transfers] ?? 0)
    #expect(slots.shown.values.reduce(0, +) + slots.superseded <= slots.bindings)
    #expect(metrics[.wastedBytes] ?? 0 <= metrics[.bytesDown] ?? 0)
    #expect(
      Double(metrics.timeToImage.count - metrics.timeToImage.cutShort)
        >= (metrics[.readyOnAppear] ?? 0) * Double(metrics.timeToImage.count))
    let area = run.frames.reduce(0.0) { sum, frame in frame.cells.reduce(sum) { $0 + $1.area / 60 } }
    let blank = try #require(metrics[.blankPixelSeconds])
    #expect(abs(try #require(metrics[.blankRatio]) - blank / area) < 1e-9)
  }
}
