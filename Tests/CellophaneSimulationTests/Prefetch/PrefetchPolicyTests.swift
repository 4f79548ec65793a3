import Cellophane
@testable import CellophaneSimulation
import Testing

@Suite struct PrefetchPolicyTests {
  /// A thousand rows of 100 px, eight of which fill the screen.
  private let layout: ListLayout
  private let loadTime = Duration.milliseconds(200)

  init() throws {
    layout = try ListLayout(
      rows: 1000, rowHeight: 100, picture: PixelSize(width: 80, height: 80),
      viewport: PixelSize(width: 400, height: 800))
  }

  @Test(arguments: [
    (PrefetchRule.none, 0.0, [Int]()), (.rows(3), 0, [18, 19, 20]), (.rows(3), 500, [18, 19, 20]),
    (.rows(3), -500, [9, 8, 7]), (.rows(300), -500, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]), (.rows(-3), 0, []),
    (.screens(leading: 0.5, trailing: 0.25), 1, [18, 19, 20, 21, 9, 8]),
    (.screens(leading: 0.5, trailing: 0.25), -1, [9, 8, 7, 6, 18, 19]),
    // A part of a row is a row.
    (.screens(leading: 0.3, trailing: 0), 1, [18, 19, 20]),
    (.screens(leading: .nan, trailing: -.infinity), 1, []),
    (.flutter, 0, [18, 19, 20, 9, 8, 7]), (.flutter, -1, [9, 8, 7, 18, 19, 20]),
    // A row is 100 px, between a tenth and half of the screen.
    (.compose, 1, [18]), (.compose, -1, [9]), (.compose, 0, []),
    // Two loads of 0.2 s are 400 px.
    (.deadline, 1000, [18, 19, 20, 21]), (.deadline, -1000, [9, 8, 7, 6]), (.deadline, 0, []),
    // Rows that leave within 4 000 px are gone before they are there; 8 000 px away is early enough.
    (.deadline, 20_000, Array(49..<98)), (.deadline, .nan, []), (.deadline, .infinity, Array(209..<418)),
    // No finger has let go: a screen.
    (.landing, 1000, Array(18..<26)), (.landing, -1000, [9, 8, 7, 6, 5, 4, 3, 2]),
  ])
  func `rows at offset 1000 under a finger`(rule: PrefetchRule, velocity: Double, rows: [Int]) {
    let motion = ListMotion(layout, offset: 1000, velocity: velocity, loadTime: loadTime)
    #expect(motion.visible == 10..<18)
    #expect(rule.policy.rows(for: motion) == rows)
  }

  @Test(arguments: [
    // 2000 px/s end 999 px on: rows 19 to 27 stay, row 18 is seen for more than a second.
    (2000.0, 1000.0, ScrollPhysics.ios, Array(19...27) + [18]),
    (-2000, 5000, .ios, Array((40...48).reversed()) + [49]),
    // The end of the list is where it lands.
    (2000, 98_900, .ios, Array(997...999)), (2000, 99_200, .ios, []),
    // What does not move on has no landing but where it is.
    (1, 1000, .android, []),
  ])
  func `the landing comes first`(velocity: Double, offset: Double, physics: ScrollPhysics, rows: [Int]) {
    let motion = ListMotion(
      layout, offset: offset, velocity: velocity, flingingBy: physics, loadTime: loadTime)
    #expect(LandingAware().rows(for: motion) == rows)
  }

  /// Played frame by frame, at 10 000 frames a second, a fling shows each row that is asked for either at its end
  /// or for as long as loading takes, and no other that was not visible before.
  @Test(arguments: ScrollPhysics.allCases, [900.0, -3000, 8000, -8000])
  func `what is asked for is what a fling shows`(physics: ScrollPhysics, velocity: Double) {
    let motion = ListMotion(
      layout, offset: 50_000, velocity: velocity, flingingBy: physics, loadTime: loadTime)
    let fling = Fling(physics, speed: abs(velocity))
    let frames = Int(fling.duration * 10_000) + 1
    var shown: [Int: Int] = [:]
    var last = motion.visible
    for frame in 0...frames {
      let way = fling.travelled(after: Double(frame) / 10_000)
      last = layout.visibleRows(at: 50_000 + (velocity < 0 ? -way : way))
      for row in last where !motion.visible.contains(row) { shown[row, default: 0] += 1 }
    }
    let rows = LandingAware().rows(for: motion)
    #expect(Set(rows).count == rows.count)
    let staying = last.filter { !motion.visible.contains($0) }
    #expect(rows.prefix(staying.count).sorted() == staying)
    for (row, count) in shown where !last.contains(row) {
      // Two frames of tolerance: 200 ms are 2000 of them.
      if count >= 2002 { #expect(rows.contains(row), "row \(row) is shown for \(count) frames") }
      if count <= 1998 { #expect(!rows.contains(row), "row \(row) is shown for \(count) frames") }
    }
    #expect(rows.allSatisfy { shown[$0] != nil })
  }

  @Test func `a fling has no memory`() {
    for physics in ScrollPhysics.allCases {
      let whole = Fling(physics, speed: 4000)
      let rest = Fling(physics, speed: whole.speed(after: 0.3))
      let expected = whole.distance - whole.travelled(after: 0.3)
      #expect(abs(rest.distance - expected) < 1e-6 * expected, "\(physics)")
    }
  }

  @Test(arguments: [-.infinity, -1e9, .nan, 1e9, .infinity] as [Double], ScrollPhysics.allCases)
  func `any number is an offset and a velocity`(number: Double, physics: ScrollPhysics) {
    let rules: [PrefetchRule] = [
      .none, .rows(.max), .rows(.min), .screens(leading: number, trailing: number), .flutter, .compose,
      .deadline, .landing,
    ]
    for rule in rules {
      for loadTime in [Duration.zero, .seconds(-1), .seconds(Int64.max / 4)] {
        let motion = ListMotion(
          layout, offset: number, velocity: number, flingingBy: physics, loadTime: loadTime)
        let rows = rule.policy.rows(for: motion)
        #expect(rows.allSatisfy { (0..<1000).contains($0) && !motion.visible.contains($0) })
      }
    }
  }

  @Test(arguments: [
    "none", "rows:0", "rows:200", "screens:2.5,1.5", "flutter", "compose", "deadline", "landing",
  ])
  func `names are read as they are written`(name: String) throws {
    #expect(try PrefetchRule(parsing: name).name == name)
  }

  @Test(arguments: [("glide:3", PrefetchRule.rows(3)), ("asdk", .screens(leading: 2.5, trailing: 1.5))])
  func `other lists' names are read`(name: String, rule: PrefetchRule) throws {
    #expect(try PrefetchRule(parsing: name) == rule)
  }

  @Test(arguments: [20, 80, 300, 400, 500, 800]) func `Compose looks a row ahead, within limits`(height: Int)
    throws
  {
    let layout = try ListLayout(
      rows: 1000, rowHeight: height, picture: PixelSize(width: 20, height: 20),
      viewport: PixelSize(width: 400, height: 800))
    // 10 px below the edge of a row: what is seen of that, and what is out of sight, add up.
    let motion = ListMotion(layout, offset: Double(height * 10 + 10), velocity: 1, loadTime: loadTime)
    let ahead = min(max(height, 80), 400)
    let expected = (0..<1000).filter {
      let top = $0 * height - height * 10 - 10
      return top < 800 + ahead && !motion.visible.contains($0) && top > 0
    }
    #expect(PrefetchRule.compose.policy.rows(for: motion) == expected)
  }

  @Test(arguments: [
    "", "rows", "rows:", "rows:-1", "rows:201", "rows:1,2", "rows:x", "none:", "landing:1", "screens:1",
    "screens:1,11", "screens:nan,1", "screens:1,2,3", "Landing", "deadline:", "glide",
    "asdk:1", "compose:", "flutter:250",
  ])
  func `other names are refused`(name: String) {
    let error = #expect(throws: LoadError.self) { try PrefetchRule(parsing: name) }
    #expect(error?.kind == .invalidRequest)
  }
}
