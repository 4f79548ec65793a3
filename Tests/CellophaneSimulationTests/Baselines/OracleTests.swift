import Cellophane
import CellophaneNetwork
import CellophaneTesting
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import TestSupport

@Suite(.thorough)
struct OracleTests {
  /// A list of 100 rows of 100 px that scrolls for ten seconds. Four rows fill the screen.
  private let layout: ListLayout
  private let trajectory: ScrollTrajectory
  private let schedule: ClairvoyantSchedule

  init() throws {
    layout = try ListLayout(
      rows: 100, rowHeight: 100, picture: PixelSize(width: 80, height: 80),
      viewport: PixelSize(width: 400, height: 400))
    trajectory = ScrollTrajectory(
      profile: .browser, physics: .ios, limit: layout.longestOffset, seed: 3, lasting: .seconds(10))
    schedule = ClairvoyantSchedule(
      [ScreenOrientation(layout, trajectory)], refreshRate: 60, duration: .seconds(10))
  }

  /// Returns the bytes that a link delivers in the first seconds, if the first byte arrives at `start`.
  static func link(_ bitsPerSecond: Int?, from start: Double) -> (Double) -> Double {
    { seconds in max(0, seconds - start) * (bitsPerSecond.map { Double($0) / 8 } ?? 1e12) }
  }

  @Test func `on an unlimited link, only the area visible before the first byte is blank`() throws {
    let oracle = Oracle(schedule, bytes: { _ in 1_000 }, deliverable: Self.link(nil, from: 1))
    let visibleAreas = schedule.pictures.flatMap(\.visibleAreas)
    let before = visibleAreas.filter { $0.slice < ClairvoyantSchedule.sliceCount / 10 }.reduce(0) {
      $0 + Double($1.area)
    }
    let least = try #require(oracle.blankRatio)
    #expect(abs(least - before / schedule.area) < 1e-9)
    #expect(Oracle(schedule, bytes: { _ in 1 }, deliverable: Self.link(nil, from: 100)).blankRatio == 1)
  }

  @Test func `the bytes that a slow link delivers limit the shown area`() throws {
    // 20 bytes per second: one image of 100 bytes after 5 s, and another at the end of the run.
    let oracle = Oracle(schedule, bytes: { _ in 100 }, deliverable: Self.link(160, from: 0))
    let half = Int32(ClairvoyantSchedule.sliceCount / 2 - 1)
    let largest =
      schedule.pictures.map { picture in
        picture.visibleAreas.reduce(0) { $0 + ($1.slice < half ? 0 : Double($1.area)) }
      }.max() ?? 0
    let shown = schedule.area * (1 - (try #require(oracle.blankRatio)))
    #expect(largest > 0 && shown >= largest && shown <= largest * 1.25)
  }

  @Test func `late frames lower the bound by the area that they may have shown`() throws {
    func bound(_ missed: Int) throws -> Double {
      let oracle = Oracle(
        schedule, bytes: { _ in 1 }, deliverable: Self.link(nil, from: 100), missed: missed)
      return try #require(oracle.blankRatio)
    }
    // At most four and a half rows are visible, each with an image of 80x80 px.
    #expect((4 * 6_400...6 * 6_400).contains(schedule.peakVisibleArea))
    let (area, missedArea) = (schedule.area, 60 * schedule.peakVisibleArea)
    #expect(try bound(0) == 1)
    #expect(abs(try bound(60) - (area - missedArea) / (area + missedArea)) < 1e-9)
    #expect(try bound(600) == 0)
  }

  @Test func `a faster link lowers the bound`() throws {
    let bounds = try [2_000, 20_000, 200_000, 2_000_000].map { rate in
      try #require(
        Oracle(schedule, bytes: { _ in 5_000 }, deliverable: Self.link(rate, from: 0.2)).blankRatio)
    }
    #expect(bounds == bounds.sorted(by: >) && bounds.allSatisfy((0...1).contains))
    #expect(bounds[0] > 0.9 && bounds[3] < 0.1)
  }

  @Test func `a link whose rate varies delivers its rates from the first byte on`() throws {
    let profile = NetworkProfile(
      name: "test", downBitsPerSecond: 4_000_000, upBitsPerSecond: nil, roundTrip: .milliseconds(100))
    var link = ModeledLink(profile: profile, rates: RateSchedule([8_000_000, 0], interval: 400_000_000))
    // Bodies arrive from 200 ms on, at 1 000 bytes per ms.
    for (seconds, kilobytes) in [(0.1, 0), (0.2, 0), (0.3, 100), (0.5, 200), (0.8, 200), (1, 400)] {
      #expect(link.deliverable(in: seconds) == Double(kilobytes) * 1_000, "\(seconds)")
    }
    link.rates = nil
    #expect(link.deliverable(in: 1) == 400_000)
  }

  @Test func `a run without visible images has no bound`() {
    let empty = ClairvoyantSchedule(
      [ScreenOrientation(layout, ScrollTrajectory(limit: 0))], refreshRate: 60, duration: .milliseconds(0))
    #expect(empty.area == 0)
    #expect(Oracle(empty, bytes: { _ in 1 }, deliverable: Self.link(1, from: 0)).blankRatio == nil)
  }

  @Test func `an image that several rows share is transferred once`() throws {
    let shared = ClairvoyantSchedule(
      [ScreenOrientation(layout, trajectory)], refreshRate: 60, duration: .seconds(10), picture: { $0 % 3 })
    #expect(shared.pictures.map(\.number) == [0, 1, 2])
    #expect(abs(shared.area - schedule.area) < 1e-6 * schedule.area)
    let trace = try shared.trace { _ in 1 }
    #expect(Set(trace.requests.map(\.key)) == [0, 1, 2])
    #expect(trace.requests.map(\.row) == schedule.requests.map { Int($0.row) })
    // Each of the three images takes 0.1 s.
    let (separate, repeated) = (
      Oracle(schedule, bytes: { _ in 100 }, deliverable: Self.link(8_000, from: 0)).blankRatio,
      Oracle(shared, bytes: { _ in 100 }, deliverable: Self.link(8_000, from: 0)).blankRatio
    )
    #expect(try #require(repeated) < (try #require(separate)))
  }

  @Test func `a schedule keeps the first requests of a run, up to the limit`() throws {
    func schedule(seconds: Int) -> ClairvoyantSchedule {
      // About 17 rows per frame.
      let trajectory = ScrollTrajectory(
        profile: .constant(100_000), physics: .ios, limit: layout.longestOffset, seed: 3,
        lasting: .seconds(seconds))
      return ClairvoyantSchedule(
        [ScreenOrientation(layout, trajectory)], refreshRate: 60, duration: .seconds(seconds))
    }
    let (long, short) = (schedule(seconds: 1_000), schedule(seconds: 20))
    #expect(long.requests.count == ClairvoyantSchedule.requestLimit)
    #expect(short.requests.count < ClairvoyantSchedule.requestLimit / 4)
    #expect(long.requests.starts(with: short.requests) && !short.requests.isEmpty)
  }

  private static let rules: [PrefetchRule] = [
    .none, .rows(3), .rows(8), .landing, .deadline, .flutter, .compose,
    .screens(leading: 2.5, trailing: 1.5),
  ]

  /// On slow and fast links, with each scroll profile and each prefetch rule. The tests of invariants check the
  /// bound for a thousand seeds with other settings.
  @Test(.serialized, arguments: ["wpt-3gslow", "lh-slow4g", "wpt-lte", "wpt-fios"])
  func `no loader has a lower blank share than the oracle`(network: String) async throws {
    for (index, rule) in Self.rules.enumerated() {
      var configuration = SimulationConfiguration()
      configuration.seed = UInt64(index + 1)
      configuration.replicas = 1
      configuration.duration = .seconds(3)
      configuration.loader.prefetch = rule
      configuration.list.layout = ListKind.allCases[index % ListKind.allCases.count]
      configuration.list.repeated = index % 3 == 0 ? RepeatedPictures(pictures: 9, exponent: 0.8) : nil
      configuration.network.profile = try NetworkProfile(parsing: network)
      configuration.network.http = HTTPVersion.allCases[index % HTTPVersion.allCases.count]
      configuration.network.origins = index % 3 + 1
      configuration.network.profile.queue = [nil, .dropTail(.milliseconds(100)), .codel][index % 3]
      configuration.gesture.profile = ScrollProfile.named[index % ScrollProfile.named.count]
      let result = try await Simulation(configuration).run()
      let least = try #require(result.baselines[.oracle]?[.blankRatio])
      #expect(try #require(result.oracleGap) >= 0, "\(rule.name), seed \(configuration.seed)")
      for (loader, run) in result.baselines {
        #expect(
          try #require(run[.blankRatio]) >= least, "\(loader), \(rule.name), seed \(configuration.seed)")
      }
      #expect((result.baselines[.noPrefetch] == nil) == (rule == .none))
    }
  }

  @Test func `a longer run has at least the blank area of its start`() async throws {
    var configuration = SimulationConfiguration()
    configuration.replicas = 1
    var blankAreas: [Double] = []
    for seconds in [60, 300] {
      configuration.duration = .seconds(seconds)
      let result = try await Simulation(configuration).run()
      let oracle = try #require(result.baselines[.oracle])
      blankAreas.append(try #require(oracle[.blankPixelSeconds]))
      #expect(try #require(oracle[.blankRatio]) <= result.metrics.run[.blankRatio] ?? 0)
    }
    #expect(blankAreas[0] > 1_000 && blankAreas == blankAreas.sorted(), "\(blankAreas)")
  }

  @Test(arguments: ListKind.allCases)
  func `the clairvoyant schedule has the requests and the visible area of the run`(kind: ListKind)
    async throws
  {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.duration = .seconds(5)
    configuration.replicas = 1
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(3))]
    let schedule = ClairvoyantSchedule(
      try ScreenOrientation.all(of: configuration), refreshRate: 60, duration: configuration.duration)
    let run = try await Simulation(configuration).run().metrics.run
    #expect(Double(schedule.requests.count) == run[.slotRequests])
    let blank = try #require(run[.blankPixelSeconds]) * 60
    if let ratio = run[.blankRatio], ratio > 0 {
      #expect(abs(blank / ratio - schedule.area) < 1e-6 * schedule.area)
    }
    let best = try #require(run[.bestMemoryHits])
    #expect((0...1).contains(best))
    #expect(run[.memoryRegret].map((0...1).contains) ?? (best == 0))
  }
}
