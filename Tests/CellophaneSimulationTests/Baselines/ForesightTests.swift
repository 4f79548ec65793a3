import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

@Suite(.thorough) struct ForesightTests {
  private static func areas(_ areas: [(slice: Int, area: Float)]) -> ArraySlice<
    ClairvoyantSchedule.VisibleArea
  > {
    areas.map { ClairvoyantSchedule.VisibleArea(slice: Int32($0.slice), area: $0.area) }[...]
  }

  /// One byte arrives in each slice. Image 0 has two bytes and is visible throughout. Image 1 has one byte and a large
  /// area in the last slices.
  @Test func `a planner transfers what it knows, and assumes that the list rests afterwards`() {
    let images = [Self.areas((0..<8).map { ($0, 1) }), Self.areas((1..<8).map { ($0, 4) })]
    let planners = LimitedForesight(
      bytes: [2, 1], visibleAreas: images, deliverable: (1...8).map(Double.init)
    ) { _ in [] }
    // The first byte belongs to image 0, the second to image 1, and the third to image 0.
    #expect(planners.shownArea(horizon: 0) == 7 * 4 + 6)
    // The first byte belongs to image 1, which is visible one slice later.
    #expect(planners.shownArea(horizon: 1) == 7 * 4 + 6)
    let later = [Self.areas((0..<4).map { ($0, 1) }), Self.areas((3..<8).map { ($0, 4) })]
    func shown(_ horizon: Int) -> Double {
      // Image 0 needs all bytes before image 1 appears, and image 1 the bytes of three slices.
      LimitedForesight(bytes: [3, 3], visibleAreas: later, deliverable: (1...8).map(Double.init)) { _ in [] }
        .shownArea(horizon: horizon)
    }
    #expect(shown(0) == 2 + 3 * 4)
    #expect(shown(8) == 5 * 4 + 0)
  }

  @Test func `bytes that no visible image needs belong to the nearest images`() {
    let images = [Self.areas([(0, 1)]), Self.areas([(2, 1)]), Self.areas([])]
    func shown(_ nearest: [Int]) -> Double {
      LimitedForesight(bytes: [1, 1, 1], visibleAreas: images, deliverable: [1, 2, 2]) { _ in nearest }
        .shownArea(horizon: 0)
    }
    #expect(shown([]) == 1 && shown([2, 1]) == 1 && shown([1, 2]) == 2)
  }

  @Test func `the nearest images are two rows ahead for each row behind`() throws {
    let layout = try ListLayout(
      rows: 100, rowHeight: 100, picture: PixelSize(width: 80, height: 80),
      viewport: PixelSize(width: 400, height: 400))
    let trajectory = ScrollTrajectory(
      profile: .constant(1_000), physics: .ios, limit: layout.longestOffset, seed: 1, lasting: .seconds(5))
    let schedule = ClairvoyantSchedule(
      [ScreenOrientation(layout, trajectory)], refreshRate: 60, duration: .seconds(5), slices: 150)
    let nearest = NearestPictures(schedule, rows: 60) { $0 }
    #expect(nearest(0).prefix(3) == [5, 6, 7] || nearest(0).prefix(3) == [4, 5, 6])
    let rows = schedule.visibleRows[100]
    #expect(rows.lowerBound > 20)
    let (first, next) = (rows.lowerBound, rows.upperBound)
    let expected: [Int] = [next, first - 1, next + 1, next + 2, first - 2, next + 3]
    #expect(Array(nearest(100).prefix(6)) == expected)
    #expect(nearest(100).allSatisfy { (0..<60).contains($0) && !rows.contains($0) })
  }

  /// Compares the planner with every assignment of the delivered bytes to images.
  @Test
  func `in small cases, a planner that knows the run is close to the exact optimum, and never above it`() {
    var (gaps, areas) = (0.0, 0.0)
    for seed in 1...60 as ClosedRange<UInt64> {
      let instance = SmallInstance(seed: seed)
      let exact = instance.exactMaxShownArea
      let planners = LimitedForesight(
        bytes: instance.pictures.map(\.bytes), visibleAreas: instance.pictures.map(\.visibleAreas),
        deliverable: instance.deliverable
      ) { _ in [] }
      for horizon in 0...instance.deliverable.count {
        #expect(planners.shownArea(horizon: horizon) <= exact + 1e-9, "seed \(seed), horizon \(horizon)")
      }
      (gaps, areas) = (
        gaps + exact - planners.shownArea(horizon: instance.deliverable.count), areas + instance.area
      )
    }
    #expect(gaps <= 0.01 * areas, "\(gaps / areas)")
  }

  /// Any seed, list, reader and network, also with rates that vary.
  @Test(.serialized, arguments: ["wpt-3gslow", "lh-slow4g", "vary-3g", "vary-lte", "unlimited"])
  func `no planner is below the oracle`(network: String) async throws {
    for seed in 1...6 as ClosedRange<UInt64> {
      var configuration = SimulationConfiguration()
      configuration.seed = seed
      configuration.replicas = 1
      configuration.foresight = true
      configuration.duration = .seconds(Int64(4 + seed))
      let kinds = ListKind.allCases
      configuration.list.layout = kinds[Int(seed) % kinds.count]
      configuration.list.repeated = seed % 3 == 0 ? RepeatedPictures(pictures: 9, exponent: 0.8) : nil
      configuration.network.profile = try NetworkProfile(parsing: network)
      configuration.gesture.profile = ScrollProfile.named[Int(seed) % ScrollProfile.named.count]
      if seed == 4 { configuration.events = [ScheduledEvent(.rotation, at: .seconds(3))] }
      let metrics = try await Simulation(configuration).run().metrics.run
      let oracle = try #require(metrics[.foresightAll])
      for metric in [Metric.foresight0s, .foresight1s, .foresight3s] {
        let blank = try #require(metrics[metric])
        #expect(blank >= oracle - 1e-9 && blank <= 1, "\(metric), seed \(seed)")
      }
    }
  }

  /// The mean of cases in which the network is the limit.
  @Test func `more foresight leaves less blank, down to about the oracle`() throws {
    var sums = [Double](repeating: 0, count: 5)
    for name in ["cards/lh-slow4g/browser", "cards/wpt-lte/skimmer", "thumbnails/wpt-3gslow/skimmer"] {
      let configuration = try #require(SuiteV1.cases.first { $0.values.joined(separator: "/") == name })
        .configuration
      let pictures = ModeledPictures(contents: ListContents(configuration.list, seed: configuration.seed))
      let layout = try configuration.checkedLayout()
      let schedule = ClairvoyantSchedule(
        try ScreenOrientation.all(of: configuration), refreshRate: configuration.viewport.refreshRate,
        duration: configuration.duration)
      let link = configuration.network.link(connections: nil, seed: configuration.seed)
      let planners = LimitedForesight(schedule, pictures, rows: layout.rows, deliverable: link.deliverable)
      for (index, horizon) in [0, 30, 90, 1_799].enumerated() {
        sums[index] += 1 - planners.shownArea(horizon: horizon) / schedule.area
      }
      let oracle = Oracle(schedule, bytes: pictures.bytes, deliverable: link.deliverable)
      sums[4] += oracle.blankRatio ?? 0
    }
    #expect(sums == sums.sorted(by: >), "\(sums)")
    // 0.5 points in the mean of three cases, which need most of the network.
    #expect(sums[3] - sums[4] < 0.015, "\(sums)")
  }

  @Test func `only a run that asks for them has the metrics`() async throws {
    var configuration = SimulationConfiguration()
    configuration.replicas = 2
    configuration.duration = .seconds(2)
    let plain = try await Simulation(configuration).run()
    configuration.foresight = true
    let result = try await Simulation(configuration).run()
    #expect(plain.metrics[.foresight0s].mean == nil && result.metrics[.foresight0s].replicas.count == 2)
    #expect(result.fingerprint == plain.fingerprint)
    #expect(result.metrics.run[.foresightAll] == result.baselines[.oracle]?[.blankRatio])
    #expect(
      result.metrics.run[.foresight1s]
        == (try await Simulation(configuration).run()).metrics.run[.foresight1s])
    #expect(
      result.reproduce?.contains(" --foresight") == true && plain.reproduce?.contains("foresight") == false)
    configuration.duration = .seconds(61)
    #expect(throws: LoadError.self) { try Simulation(configuration) }
  }
}
