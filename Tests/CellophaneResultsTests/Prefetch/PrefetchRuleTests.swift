import Cellophane
import Testing

@testable import CellophaneResults

@Suite struct PrefetchRuleTests {
  @Test(arguments: [
    "none", "rows:0", "rows:200", "rows:8,1.5", "rows:0,10.0", "screens:2.5,1.5", "flutter", "compose",
    "deadline", "landing",
  ])
  func `the name of a rule is the text that it was parsed from`(name: String) throws {
    #expect(try PrefetchRule(parsing: name).name == name)
  }

  @Test(arguments: [
    ("glide:3", PrefetchRule.rows(3)), ("12", .rows(12)), ("0", .rows(0)),
    ("asdk", .screens(leading: 2.5, trailing: 1.5)), ("rows:8,0", .rows(8)),
  ])
  func `aliases from other libraries are accepted`(name: String, rule: PrefetchRule) throws {
    #expect(try PrefetchRule(parsing: name) == rule)
  }

  @Test(arguments: [
    "", "rows", "rows:", "rows:-1", "rows:201", "rows:1,2,3", "rows:1,11", "rows:1,x", "glide:1,2", "rows:x",
    "none:", "landing:1", "screens:1",
    "screens:1,11", "screens:nan,1", "screens:1,2,3", "Landing", "deadline:", "glide",
    "asdk:1", "201", "-1", "1.5", "compose:", "flutter:250",
  ])
  func `an unknown name is rejected`(name: String) {
    let error = #expect(throws: LoadError.self) { try PrefetchRule(parsing: name) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test(arguments: SimulationConfiguration.Time.allCases)
  func `the default policy is eight rows and two and a half screens, and suite v1 keeps rows:8`(
    time: SimulationConfiguration.Time
  ) throws {
    #expect(SimulationConfiguration(time: time).loader.prefetch == .rows(8, screens: 2.5))
    #expect(try Study.suiteCase("thumbnails/wpt-lte/skimmer").loader.prefetch == .rows(8))
    #expect(try Study(suite: "v1") { _ in }.cases.allSatisfy { $0.configuration.loader.prefetch == .rows(8) })
  }

  /// A run in real time creates images only within the reach. Rows beyond it could not load, and a larger reach would
  /// take longer to prepare.
  @Test(arguments: [(20, 1), (72, 1), (100, 3), (420, 1), (900, 1)])
  func `a rule requests no row beyond its reach`(rowHeight: Int, columns: Int) throws {
    let layout = try ListLayout(
      rows: 3_000, rowHeight: rowHeight, picture: PixelSize(width: 20, height: 20), columns: columns)
    for rule in [PrefetchRule.none, .rows(3), .rows(8, screens: 2.5), .landing] {
      var farthest = Int.min
      for step in 0...400 {
        let (offset, speed) = (Double(step) * 3.7, Double(step % 9) * 700)
        let fling = step.isMultiple(of: 2) ? Fling(.ios, speed: speed) : nil
        let motion = ListMotion(
          layout, viewport: Double(layout.viewport.height), offset: offset, velocity: speed, fling: fling)
        let end = layout.visibleRows(at: offset + (motion.fling?.distance ?? 0)).upperBound
        let last = rule.policy.rows(for: motion, loadTime: .zero).max() ?? motion.visible.upperBound - 1
        farthest = max(farthest, last + 1 - end)
      }
      #expect(farthest <= rule.reach(in: layout), "\(rule)")
      // The reach is tight, except for rows that are only partly visible.
      #expect(farthest >= rule.reach(in: layout) - 2 * columns, "\(rule)")
    }
  }
}
