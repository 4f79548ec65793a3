internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
internal import CellophaneSimulation
internal import SimulationTestSupport

@Suite struct StudyTableTests {
  @Test func `the table of a sweep has every parameter and value`() throws {
    let table = try HeatMapTextTests.grid([[0.2, 0.4], [0.1, 0.3]]).table()
    for text in ["memory", "prefetch", "rows:1", "rows:2", "1000000", "2000000"] {
      #expect(table.contains(text), "\(text)")
    }
    // The heading of a run, then the settings that differ.
    #expect(table.contains(" reused cells, ") && table.contains(" with cellophane, first seed "))
    #expect(
      table.contains("\nSettings of the first case. The other cases differ in memory and prefetch.\n\n"))
  }

  @Test func `the verdict of a sweep names the best case only if it is confirmed to be better`() throws {
    let study = try StudyFixture.sweep([("prefetch", ["none", "rows:2", "rows:8", "rows:9"])])
    func verdict(_ shares: [Double], replicas: Int = 12) throws -> Finding {
      try #require(HeatMapTextTests.result(study, shares, replicas: replicas).finding)
    }
    let best = try verdict([0.3, 0.2, 0.1, 0.1001])
    #expect(
      best.sentence
        == "Best: prefetch rows:8 leaves 10.5 % of the image area blank, 20.0 points less than the first case "
        + "(prefetch none) (95 % interval 20.0 to 20.0).")
    // Two equal numbers are not the best and the second best.
    #expect(best.advice?.hasSuffix(" The number is the same with prefetch rows:9.") == true)
    #expect(best.advice?.contains("It receives 200.0 kB less per replica.") == true)
    let none = try verdict([0.1, 0.2, 0.3, 0.4])
    #expect(
      none.sentence.hasSuffix("leaves 10.5 % of the image area blank; no case is confirmed to be better."))
    #expect(
      try verdict([0.3, 0.2, 0.1, 0.1], replicas: 2).sentence.hasPrefix("The first case (prefetch none) "))
  }

  @Test func `the verdicts of other studies name the strongest parameter and the range`() throws {
    let studies = try StudyReportTests.studies()
    #expect(
      studies["suite"]?.finding?.sentence
        == "24 cases leave 0.5 % to 46.5 % of the image area blank; half of them 23.5 % or less.")
    #expect(
      studies["sensitivity"]?.finding?.sentence
        == "The blank share depends most on gesture.flick.median: -4.0 pp if it is 50 % smaller, +1.0 pp if it is "
        + "50 % larger.")
    for (name, study) in studies {
      #expect(study.table().contains("\n" + (study.finding?.sentence.prefix(30) ?? "none")), "\(name)")
    }
  }

  @Test func `the table of a suite has the start and the movement apart`() throws {
    let suite = try #require(try StudyReportTests.studies()["suite"])
    let head = try #require(
      suite.table().split(separator: "\n").first { $0.hasPrefix("list/network/profile ") })
    #expect(
      head.split(separator: " ").dropFirst().joined(separator: " ")
        == "blank cold warm in 400 ms received wasted")
    let markdown = StoredResult.study(suite).markdown()
    #expect(
      markdown.contains("| list/network/profile | blank | cold | warm | in 400 ms | received | wasted |"))
  }

  @Test func `colors in a table of one parameter show which marked case is better`() throws {
    let study = try StudyFixture.sweep([("prefetch", ["none", "rows:2", "rows:8"])])
    let result = HeatMapTextTests.result(study, [0.3, 0.2, 0.4], replicas: 12)
    let (plain, colored) = (result.table(), result.table(usesColor: true))
    #expect(!plain.contains("\u{1B}") && colored.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
    #expect(colored.contains("\u{1B}[32m  *20.5 % ±0.5\u{1B}[0m") && colored.contains("\u{1B}[31m  !40.5 %"))
  }

  @Test(arguments: ["two", "one", "sensitivity", "suite"])
  func `a table explains the intervals of its numbers`(name: String) throws {
    let table = try #require(try StudyReportTests.studies()[name]).table()
    #expect(table.contains(" ±0.5"), "\(table)")
    #expect(
      table.contains("\n±: half the width of the 95 % interval over 2 replicas, in percentage points.\n"),
      "\(table)")
  }

  @Test func `a table without intervals has no explanation of them`() throws {
    let study = try StudyFixture.sweep([("memory", ["0", "1000000"])])
    #expect(!HeatMapTextTests.result(study, [0.2, 0.1], replicas: 1).table().contains("±"))
  }

  @Test(arguments: [["1000000"], ["0", "1000000"]])
  func `a table and a page mention other cases only if there are some`(values: [String]) throws {
    let hasOthers = values.count > 1
    for parameters in [[("memory", values)], [("memory", values), ("prefetch", ["none"])]] {
      let study = try StudyFixture.sweep(parameters)
      let result = HeatMapTextTests.result(study, [0.2, 0.1])
      let (table, page) = (result.table(), try result.html())
      #expect(table.contains("other cases differ") == hasOthers, "\(table)")
      #expect(table.contains("of a difference is chance") == hasOthers, "\(table)")
      for words in ["other cases", "of a difference is chance", "The cases share"] {
        #expect(page.contains(words) == hasOthers, "\(words)")
      }
    }
  }

  @Test func `a table explains the sign for an unknown number if it has one`() throws {
    let note = "\n–: unknown (not measured, or too few waits ended, as when rows leave).\n"
    let list = try StudyFixture.sweep([("memory", ["0", "1000000"])])
    // These results have no waits.
    #expect(HeatMapTextTests.result(list, [0.2, 0.1]).table().contains(note))
    let grid = try StudyFixture.sweep([("memory", ["0", "1000000"]), ("prefetch", ["none", "rows:8"])])
    #expect(!HeatMapTextTests.result(grid, [0.2, 0.1, 0.3, 0.4]).table().contains("–"))
    #expect(HeatMapTextTests.result(grid, [0.2, 0.1, 0.3]).table().contains(note))
  }

  @Test func `the table of a stopped study states the finished cases`() throws {
    let study = try StudyFixture.sweep([("memory", ["0", "1000000", "4000000"])])
    let result = HeatMapTextTests.result(study, [0.2, 0.1])
    #expect(result.table().hasPrefix("INCOMPLETE: stopped by a signal: 2 of 3 cases finished"))
  }

  @Test func `a sensitivity table shows the change of each parameter, the largest first`() async throws {
    var one = StudyFixture.short
    one.duration = .seconds(1)
    let result = try await Study(sensitivityOf: one).run()
    let lines = result.table().split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("gesture.") || $0.hasPrefix("network.") }.count == ScaledParameter.all.count
        - 1)
    #expect(lines.allSatisfy { $0.count <= 84 })
    let bars = lines.map { $0.count { $0 == "█" } }.filter { $0 > 0 }
    #expect(bars.first == 28)
    #expect(bars == bars.sorted(by: >))
    #expect(
      lines.contains { $0.contains(" pp?") } && lines.contains("?: the change may be chance."), "\(lines)")
  }
}
