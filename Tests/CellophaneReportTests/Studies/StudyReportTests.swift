import Cellophane
import Foundation
import Testing

@testable import CellophaneReport
@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct StudyReportTests {
  /// Returns a small study of every kind, by name, without playing it.
  static func studies() throws -> [String: StudyResult] {
    let one = try StudyFixture.sweep([("prefetch", ["none", "rows:2", "rows:8"])])
    var base = StudyFixture.short
    base.duration = .seconds(1)
    let sensitivity = Study(sensitivityOf: base)
    let suite = try Study(suite: "v1") { $0.replicas = 2 }
    func result(_ study: Study, _ share: (Int) -> Double) -> StudyResult {
      HeatMapTextTests.result(study, study.cases.indices.map(share))
    }
    return [
      "two": try HeatMapTextTests.grid([[0.2, 0.4, 0.3], [0.1, 0.3, 0.25]]),
      "one": result(one) { 0.3 - Double($0) * 0.1 },
      "sensitivity": result(sensitivity) { 0.2 + Double($0 % 5) * 0.01 - Double($0 % 3) * 0.02 },
      "suite": result(suite) { Double($0) * 0.02 },
    ]
  }

  @Test func `two cards with the same number are not the best and the worst`() throws {
    let one = try StudyFixture.sweep([("memory", ["1MB", "2MB", "4MB"])])
    for (shares, titles) in [
      ([0.0859, 0.0856, 0.0861], []), ([0.24, 0.24, 0.24], []),
      ([0.2469, 0.2475, 0.2481], ["Lowest blank share", "Highest blank share"]),
    ] {
      let result = HeatMapTextTests.result(one, shares)
      #expect(result.cards.map(\.title).filter { $0.contains("est blank share") } == titles, "\(shares)")
      #expect((result.heatScale(of: .blank) == nil) == titles.isEmpty)
    }
  }

  @Test(arguments: ["two", "one", "sensitivity", "suite"])
  func `a page is well-formed and complete, and has no external resources or links`(name: String) throws {
    var result = try #require(try Self.studies()[name])
    result.reproduce = "cellophane simulate --option 'a value'"
    let page = try result.html()
    let elements = MarkupElements(page)
    #expect(elements.errors == [])
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    #expect(
      elements.all.filter { $0.name == "script" }.map { $0.attributes["type"] } == ["application/json", nil])
    #expect(elements.all.allSatisfy { $0.attributes["src"] == nil && !["link", "img"].contains($0.name) })
    #expect(elements.all.allSatisfy { $0.attributes["href"]?.hasPrefix("#") ?? true })
    #expect(!page.contains("@import") && !page.contains("http://") && !page.contains("https://"))
    #expect(!page.contains("NaN") && !page.contains("inf\""))
    let ids = elements.all.compactMap { $0.attributes["id"] }
    #expect(ids.count == Set(ids).count)
    let links = elements.all.compactMap { $0.attributes["href"]?.dropFirst() }
    #expect(links.count >= 3 && links.allSatisfy { ids.contains(String($0)) })
    let images = elements.all.filter { $0.attributes["role"] == "img" }
    #expect(!images.isEmpty)
    #expect(images.allSatisfy { $0.name == "svg" && $0.attributes["aria-label"]?.isEmpty == false })
    // The page has both commands, every case and every setting.
    let words = page.replacing("<span>", with: "").replacing("</span>", with: "")
    #expect(words.contains(Markup.escaped(result.reproduce ?? "none")))
    #expect(words.contains(Markup.escaped(result.cases[0].reproduce ?? "none")))
    for one in result.cases {
      let row = "<tr><th scope=\"row\">\(StudyResult.name(of: one))</th><td>\(result.cell(one, .blank))</td>"
      #expect(page.contains(row), "\(row)")
    }
    for table in try #require(result.config).settings { #expect(page.contains(table.markup.text)) }
    // The JSON in the page is the complete result.
    let start = try #require(page.ranges(of: #"id="result">"#).first)
    let end = try #require(page[start.upperBound...].ranges(of: "</script>").first)
    let json = Array(page[start.upperBound..<end.lowerBound].utf8)
    #expect(try StudyResult(json: json) == result)
    #expect(try StoredResult(json: json) == .study(result))
    #expect(try StoredResult(json: json).html() == page)
  }

  @Test func `a heat map has a shaded cell for each case, with the marks of the table`()
    throws
  {
    let result = try HeatMapTextTests.grid([[0.2, 0.4], [0.1, 0.3]])
    func drawing(_ number: StudyNumber) -> String {
      HeatMap(result: result, number: number).panel.drawing.text
    }
    func cells(_ drawing: String) -> [String] {
      MarkupElements("<svg>" + drawing + "</svg>").all.compactMap { element in
        guard element.name == "rect", element.attributes["height"] == "34" else { return nil }
        return element.attributes["class"]
      }
    }
    let blank = drawing(.blank)
    #expect(cells(blank) == ["cell heat-2", "cell heat-6", "cell heat-0", "cell heat-4"])
    // A higher hit ratio is better. The ratios are 0.8, 0.6, 0.9 and 0.7.
    let hits = try #require(StudyNumber.ofSweep.first { $0.path == .metric(.memoryHits) })
    #expect(cells(drawing(hits)) == ["cell heat-2", "cell heat-6", "cell heat-0", "cell heat-4"])
    #expect(drawing(hits).contains("best: 90.0 %") && drawing(hits).contains(">60.0 %<"))
    for text in [">20.5 % ±0.5<", ">!40.5 % ±0.5<", ">*10.5 % ±0.5<", ">!30.5 % ±0.5<"] {
      #expect(blank.contains(text), "\(text)")
    }
    #expect(blank.contains("best: 10.5 %") && blank.contains(">40.5 %<"))
    #expect(blank.contains("rows: memory (memory cache); columns: prefetch (prefetch policy)"))
    // The first case has a frame, in a color that is visible on its shade.
    #expect(blank.ranges(of: "first-case rim-heat-2").count == 1)
    #expect(blank.contains("<title>memory 2000000, prefetch rows:1: *10.5 % ±0.5</title>"))
    let table = HeatMap(result: result, number: .blank).table
    #expect(table.head == ["memory", "rows:1", "rows:2"])
    #expect(table.rows[1] == ["2000000", "*10.5 % ±0.5", "!30.5 % ±0.5"])
  }

  @Test func `a large heat map stays within the page and omits numbers that do not fit`() throws {
    for (rows, columns) in [(1, 200), (20, 20), (400, 1), (2, 9)] {
      let result = try HeatMapTextTests.grid(
        (0..<rows).map { row in (0..<columns).map { Double(row * columns + $0) / 800 } })
      let panel = HeatMap(result: result, number: .blank).panel
      let elements = MarkupElements("<svg>" + panel.drawing.text + "</svg>")
      #expect(elements.errors == [])
      let cells = elements.all.filter { $0.attributes["class"]?.hasPrefix("cell ") == true }
      #expect(cells.count == rows * columns + HeatShade.count)
      for cell in cells {
        let right =
          try #require(Double(cell.attributes["x"] ?? "")) + (Double(cell.attributes["width"] ?? "") ?? 0)
        #expect(right <= Figure.width)
      }
      let numbers = elements.all.count {
        $0.attributes["class"]?.contains("on-heat") == true && $0.name == "text"
      }
      #expect(numbers == (columns < 100 ? rows * columns : 0), "\(rows) \(columns)")
    }
  }

  @Test func `an interval chart has the interval of each case and its claim against the first`() throws {
    let result = try #require(try Self.studies()["one"])
    let panels = IntervalChart(result: result, number: .blank).panels
    let elements = MarkupElements("<svg>" + panels.map(\.drawing.text).joined() + "</svg>").all
    let dots = elements.filter { $0.name == "circle" }.compactMap { $0.attributes["class"] }
    #expect(panels.count == 1 && dots == ["dot unproven", "dot better", "dot better"])
    #expect(elements.count { $0.attributes["class"] == "interval" } == 3)
    let positions = elements.compactMap { $0.attributes["cx"].flatMap { Double($0) } }
    #expect(positions == positions.sorted(by: >) && Set(positions).count == 3)
    // A higher hit ratio is better, and the first case has the lowest.
    let hits = try #require(StudyNumber.ofSweep.first { $0.path == .metric(.memoryHits) })
    let drawn = IntervalChart(result: result, number: hits).panels.map(\.drawing.text).joined()
    #expect(drawn.ranges(of: "dot better").count == 2)
    // A suite has no comparisons.
    let suite = try #require(try Self.studies()["suite"])
    let compared = IntervalChart(result: suite, number: .blank).panels.map(\.drawing.text).joined()
    #expect(compared.ranges(of: "dot other").count == 24 && !compared.contains("class=\"mark\""))
  }

  @Test func `a long list of cases is drawn in several panels with the same scale`() throws {
    let study = try StudyFixture.sweep([("memory", (0..<100).map { "\($0)" })])
    let result = HeatMapTextTests.result(study, (0..<100).map { Double($0) / 200 })
    let panels = IntervalChart(result: result, number: .blank).panels
    #expect(panels.map { $0.drawing.text.ranges(of: "<circle").count } == [36, 36, 28])
    #expect(Set(panels.map { $0.drawing.text.ranges(of: "class=\"mark\"").count }) == [1])
  }

  @Test func `a tornado chart has two bars for each parameter, on the left for a smaller blank share`() throws
  {
    let result = try #require(try Self.studies()["sensitivity"])
    let tornado = StudyTornado(result)
    let panel = try #require(TornadoChart(tornado: tornado).panel)
    let bars = MarkupElements("<svg>" + panel.drawing.text + "</svg>").all.filter { $0.name == "rect" }
    let changes = tornado.rows.flatMap { [$0.half, $0.oneAndAHalf] }.compactMap { $0?.mean }
    #expect(bars.count == changes.count && bars.count > 20)
    let zero = try #require(
      MarkupElements("<svg>" + panel.drawing.text + "</svg>").all.first { $0.attributes["class"] == "zero" }?
        .attributes["d"]?.dropFirst().split(separator: " ").first.flatMap { Double($0) })
    for (bar, change) in zip(bars, changes) {
      let x = try #require(Double(bar.attributes["x"] ?? "")),
        width = try #require(Double(bar.attributes["width"] ?? ""))
      // A bar on the left means a smaller blank share.
      #expect(abs((change < 0 ? x + width : x) - zero) < 0.2, "\(change)")
    }
    let styles = Set(bars.compactMap { $0.attributes["class"]?.split(separator: " ").first })
    #expect(styles == ["half", "half-more"])
    // A change that is not confirmed is faint.
    #expect(
      bars.count { $0.attributes["class"]?.hasSuffix(" faint") == true }
        == tornado.rows.flatMap { [$0.half, $0.oneAndAHalf] }.count {
          $0?.mean != nil && !tornado.isShown($0)
        })
    let rows = TornadoChart(tornado: tornado).table.rows
    #expect(rows.count == tornado.rows.count)
    #expect(rows.contains { $0[0] == "network.rtt_ms: round-trip time, ms" })
  }

  /// Results of earlier versions have no configuration and no command for the study.
  @Test func `the page of an older study omits missing fields`() throws {
    let result = try #require(try Self.studies()["two"])
    let json = try JSONSerialization.jsonObject(with: Data(try result.json())) as? [String: Any]
    var fields = try #require(json)
    fields["config"] = nil
    let old = try StudyResult(json: Array(try JSONSerialization.data(withJSONObject: fields)))
    let page = try old.html()
    #expect(old.config == nil && MarkupElements(page).errors == [])
    #expect(page.contains("Repeat the first case alone") && !page.contains("Assumptions"))
  }

  @Test(
    arguments: [(0.021, "+2.1 pp"), (-0.021, "-2.1 pp"), (0, "0.0 pp"), (-0.0001, "<0.1 pp")]
      as [(Double, String)])
  func `a change has a sign unless it rounds to 0`(change: Double, text: String) {
    #expect(StudyTornado.signed(change) == text)
  }

  @Test func `a page reports a single replica, a stopped study and a broken invariant`() throws {
    let study = try StudyFixture.sweep([("memory", ["1", "2"]), ("prefetch", ["none", "rows:8"])])
    let result = HeatMapTextTests.result(study, [0.2, 0.4, 0.1], replicas: 1, misplaced: 3)
    let page = try result.html()
    #expect(MarkupElements(page).errors == [])
    #expect(page.contains("Incomplete, stopped by a signal: 3 of 4 cases finished"))
    #expect(page.contains("One replica does not show how much of a difference is chance; use 10 or more."))
    #expect(page.contains("card broken") && page.contains("3 wrong images shown"))
  }
}
