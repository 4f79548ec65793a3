@testable internal import Cellophane
internal import Testing

@Suite struct PrefetchPolicyTests {
  /// A thousand rows of 100 px. Eight rows fill the screen.
  private let layout = EvenRows(count: 1000, height: 100)
  private let loadTime = Duration.milliseconds(200)

  struct Case: Sendable {
    let policy: any PrefetchPolicy
    let velocity: Double
    let rows: [Int]

    init(_ policy: any PrefetchPolicy, _ velocity: Double, _ rows: [Int]) {
      (self.policy, self.velocity, self.rows) = (policy, velocity, rows)
    }
  }

  static let cases: [Case] = [
    Case(RowsAhead(count: 0), 0.0, []),
    Case(RowsAhead(count: 3), 0, [18, 19, 20]),
    Case(RowsAhead(count: 3), 500, [18, 19, 20]),
    Case(RowsAhead(count: 3), -500, [9, 8, 7]),
    Case(RowsAhead(count: 300), -500, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
    Case(RowsAhead(count: -3), 0, []),
    Case(RowsAhead(count: 3, screens: 0.5), 500, [18, 19, 20, 21]),
    Case(RowsAhead(count: 6, screens: 0.5), 500, [18, 19, 20, 21, 22, 23]),
    Case(RowsAhead(count: 0, screens: 0.5), -500, [9, 8, 7, 6]),
    Case(ScreensAround(leading: 0.5, trailing: 0.25), 1, [18, 19, 20, 21, 9, 8]),
    Case(ScreensAround(leading: 0.5, trailing: 0.25), -1, [9, 8, 7, 6, 18, 19]),
    // A partly covered row counts.
    Case(ScreensAround(leading: 0.3, trailing: 0), 1, [18, 19, 20]),
    Case(ScreensAround(leading: .nan, trailing: -.infinity), 1, []),
    Case(CacheExtent(), 0, [18, 19, 20, 9, 8, 7]),
    Case(CacheExtent(), -1, [9, 8, 7, 18, 19, 20]),
    // A row is 100 px, between a tenth and half of the screen.
    Case(CacheWindow(), 1, [18]),
    Case(CacheWindow(), -1, [9]),
    Case(CacheWindow(), 0, []),
    // In two load times of 0.2 s the list moves 400 px.
    Case(DueSoon(), 1000, [18, 19, 20, 21]),
    Case(DueSoon(), -1000, [9, 8, 7, 6]),
    Case(DueSoon(), 0, []),
    // Rows that leave within a load time, 4 000 px, are skipped. Rows within two of them, 8 000 px, are due.
    Case(DueSoon(), 20_000, Array(49..<98)),
    Case(DueSoon(), .nan, []),
    Case(DueSoon(), .infinity, Array(209..<418)),
    // Without a fling, a screen.
    Case(LandingAware(), 1000, Array(18..<26)),
    Case(LandingAware(), -1000, [9, 8, 7, 6, 5, 4, 3, 2]),
  ]

  @Test(arguments: [ListMotion.Direction.down, .up])
  func `LandingAware examines only the rows at both ends of the way to a landing a million rows away`(
    direction: ListMotion.Direction
  ) {
    let layout = EvenRows(count: 1_000_100, height: 100)
    let motion = ListMotion(
      layout, viewport: 800, offset: direction == .down ? 0 : layout.length - 800,
      velocity: direction == .down ? 1_000 : -1_000,
      fling: Fling(.ios, speed: 1_000, distance: 100_000_000))
    for loadTime in [Duration.zero, .milliseconds(200), .seconds(3_600)] {
      let rows = LandingAware().rows(for: motion, loadTime: loadTime)
      #expect(rows.count <= 2_100)
      #expect(Set(rows).count == rows.count)
      // The rows at the landing, and the next ones.
      let landing = direction == .down ? 1_000_000..<1_000_008 : 92..<100
      #expect(Set(landing).isSubset(of: rows))
      #expect(rows.last == (direction == .down ? 1_000_015 : 84))
    }
    // With a load time of zero, the rows from the present offset on.
    let near = LandingAware().rows(for: motion, loadTime: .zero).prefix(1_000)
    #expect(
      Array(near) == (direction == .down ? Array(8..<1_008) : (999_092..<1_000_092).reversed()))
  }

  @Test(arguments: cases)
  func `a policy selects its rows at offset 1000 under a finger`(`case`: Case) {
    let motion = ListMotion(layout, viewport: 800, offset: 1000, velocity: `case`.velocity)
    #expect(motion.visible == 10..<18)
    #expect(`case`.policy.rows(for: motion, loadTime: loadTime) == `case`.rows)
  }

  @Test(arguments: [
    // A fling of 2000 px/s ends after 999 px. Rows 19 to 27 are visible there, and row 18 for more than a
    // second on the way. Eight more rows follow.
    (2000.0, 1000.0, ScrollPhysics.ios, Array(18...35)),
    (-2000, 5000, .ios, Array((32...49).reversed())),
    // The landing is the end of the list.
    (2000, 98_900, .ios, Array(997...999)), (2000, 99_200, .ios, []),
    // A fling that does not move lands at the present offset.
    (1, 1000, .android, Array(18...25)),
    // A fling of 20 000 px/s ends after 9 990 px. Row 91 is the first one visible for 0.2 s.
    (20_000, 1000, .ios, Array(91...125)),
  ])
  func `LandingAware selects the rows up to the landing and the next ones`(
    velocity: Double, offset: Double, physics: ScrollPhysics, rows: [Int]
  ) {
    let motion = ListMotion(
      layout, viewport: 800, offset: offset, velocity: velocity, fling: Fling(physics, speed: abs(velocity)))
    #expect(LandingAware().rows(for: motion, loadTime: loadTime) == rows)
  }

  @Test(arguments: [20.0, 100, 102, 420, 2_000])
  func `without a fling, LandingAware selects the next screen, and at least the next eight rows`(
    height: Double
  ) {
    let layout = EvenRows(count: 1000, height: height)
    for (offset, velocity) in [(1000.0, 0.0), (1000, 3000), (1000, -3000), (0, 0), (0, -10)] {
      let motion = ListMotion(layout, viewport: 800, offset: offset, velocity: velocity)
      let rows = LandingAware().rows(for: motion, loadTime: loadTime)
      #expect(rows.starts(with: RowsAhead(count: 8).rows(for: motion, loadTime: loadTime)))
      let screen = ScreensAround(leading: 1, trailing: 0).rows(for: motion, loadTime: loadTime)
      #expect(rows.starts(with: screen) && rows.count <= max(8, screen.count))
    }
  }

  /// Plays a fling at 10 000 frames per second. Each selected row is visible at its end, or on the way for at
  /// least the load time. No other row is selected, except eight after the end.
  @Test(arguments: ScrollPhysics.allCases, [900.0, -3000, 8000, -8000])
  func `LandingAware selects the rows that a fling shows for the load time`(
    physics: ScrollPhysics, velocity: Double
  ) {
    let fling = Fling(physics, speed: abs(velocity))
    let motion = ListMotion(layout, viewport: 800, offset: 50_000, velocity: velocity, fling: fling)
    let frames = Int(fling.duration * 10_000) + 1
    var shown: [Int: Int] = [:]
    var last = motion.visible
    for frame in 0...frames {
      let distance = fling.travelled(after: Double(frame) / 10_000)
      last = visible(at: 50_000 + (velocity < 0 ? -distance : distance))
      for row in last where !motion.visible.contains(row) { shown[row, default: 0] += 1 }
    }
    let all = LandingAware().rows(for: motion, loadTime: loadTime)
    #expect(Set(all).count == all.count)
    let (rows, following) = (all.dropLast(8), Array(all.suffix(8)))
    let end: [Int] =
      velocity < 0
      ? (last.lowerBound - 8..<last.lowerBound).reversed() : Array(last.upperBound..<last.upperBound + 8)
    #expect(following == end)
    let atLanding = last.filter { !motion.visible.contains($0) }
    #expect(rows.suffix(atLanding.count).sorted() == atLanding)
    for (row, count) in shown where !last.contains(row) {
      // 200 ms are 2000 frames, with a tolerance of two.
      if count >= 2002 { #expect(rows.contains(row), "row \(row) is shown for \(count) frames") }
      if count <= 1998 { #expect(!rows.contains(row), "row \(row) is shown for \(count) frames") }
    }
    #expect(rows.allSatisfy { shown[$0] != nil })
  }

  @Test(arguments: [-.infinity, -1e9, .nan, 1e9, .infinity] as [Double], ScrollPhysics.allCases)
  func `policies accept any number as offset, velocity and distance`(number: Double, physics: ScrollPhysics) {
    let policies: [any PrefetchPolicy] = [
      RowsAhead(count: .max), RowsAhead(count: .min), RowsAhead(count: 0, screens: number),
      ScreensAround(leading: number, trailing: number),
      CacheExtent(), CacheWindow(), DueSoon(), LandingAware(),
    ]
    let flings = [
      Fling(physics, speed: number), Fling(physics, speed: 4000, distance: number),
      Fling(physics, speed: number, distance: number),
      Fling(physics, speed: 1, distance: .greatestFiniteMagnitude),
    ]
    let layouts: [any RowLayout] = [layout, UnevenRows(heights: [number, 10, number, 20])]
    for (policy, layout) in policies.flatMap({ policy in layouts.map { (policy, $0) } }) {
      for loadTime in [Duration.zero, .seconds(-1), .seconds(Int64.max / 4)] {
        for fling in flings {
          let motion = ListMotion(layout, viewport: 800, offset: number, velocity: number, fling: fling)
          let rows = policy.rows(for: motion, loadTime: loadTime)
          #expect(rows.allSatisfy { (0..<layout.count).contains($0) && !motion.visible.contains($0) })
          for row in motion.visible { _ = policy.priority(ofVisible: row, for: motion, loadTime: loadTime) }
          #expect(ListMotion(layout, viewport: number, offset: 5).visible.upperBound <= layout.count)
        }
      }
    }
  }

  @Test(arguments: [20, 80, 300, 400, 500, 800])
  func `CacheWindow covers one row ahead, at least a tenth and at most half of a screen`(height: Int) {
    let layout = EvenRows(count: 1000, height: Double(height))
    // 10 px below the edge of a row: the height of that row includes its hidden part.
    let motion = ListMotion(layout, viewport: 800, offset: Double(height * 10 + 10), velocity: 1)
    let ahead = min(max(height, 80), 400)
    let expected = (0..<1000).filter {
      let top = $0 * height - height * 10 - 10
      return top < 800 + ahead && !motion.visible.contains($0) && top > 0
    }
    #expect(CacheWindow().rows(for: motion, loadTime: loadTime) == expected)
  }

  private func visible(at offset: Double) -> Range<Int> { layout.rows(from: offset, to: offset + 800) }
}
