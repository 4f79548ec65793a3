@testable import CacheEviction
import Cellophane
@testable import CellophaneResults
import Testing

@Suite struct ScrollingTraceTests {
  /// A list of 100 rows of 100 px. Four rows fill the screen.
  private let layout: ListLayout

  init() throws {
    layout = try ListLayout(
      rows: 100, rowHeight: 100, picture: PixelSize(width: 80, height: 80),
      viewport: PixelSize(width: 400, height: 400))
  }

  @Test func `a trace requests rows in the order in which they enter the screen`() throws {
    var trajectory = ScrollTrajectory(limit: layout.longestOffset)
    // 20 px per frame: row 4 enters with the first step, row 5 with the sixth, at 120 px.
    trajectory.append(.glide(velocity: 200), lasting: .seconds(1))
    trajectory.append(.glide(velocity: -200), lasting: .seconds(1))
    trajectory.append(.glide(velocity: 6000), lasting: .milliseconds(100))
    let trace = try CacheTrace(scrolling: layout, along: trajectory, refreshRate: 10) { 10 + $0 }
    #expect(trace.requests.map(\.row) == [0, 1, 2, 3, 4, 5, 1, 0, 6, 7, 8, 9])
    #expect(trace.requests.map(\.position) == [2, 2, 2, 2, 2, 3, 3, 2, 8, 8, 8, 8])
    #expect(trace.requests.allSatisfy { $0.key == $0.row && $0.cost == 10 + $0.row })
  }

  @Test(arguments: [Int.min, 0, 241]) func `a refresh rate out of range is refused`(rate: Int) {
    let error = #expect(throws: LoadError.self) {
      try CacheTrace(scrolling: layout, along: ScrollTrajectory(limit: 0), refreshRate: rate) { _ in 1 }
    }
    #expect(error?.kind == .invalidRequest)
  }

  /// Both policies have a capacity of two screens and the same gestures. Their hits are summed over ten seeds.
  /// In a list, the nearest rows are the next ones to be visible.
  @Test(arguments: ScrollProfile.named)
  func `on a list, the farthest-row policy has at least as many hits as LRU`(
    profile: ScrollProfile
  ) throws {
    var farthest = 0
    var lru = 0
    for seed in 1...10 as ClosedRange<UInt64> {
      let trajectory = ScrollTrajectory(
        profile: profile, physics: .ios, limit: layout.longestOffset, seed: seed, lasting: .seconds(60))
      let trace = try CacheTrace(scrolling: layout, along: trajectory) { _ in 1 }
      farthest += trace.score(of: FarthestRowPolicy(capacity: 10)).hits
      lru += trace.score(of: LRUPolicy(capacity: 10)).hits
    }
    #expect(lru > 0)
    #expect(farthest >= lru)
  }
}
