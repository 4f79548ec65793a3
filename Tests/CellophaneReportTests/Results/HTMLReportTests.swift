internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
@testable internal import CellophaneSimulation
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough)
struct HTMLReportTests {
  static func result(_ change: (inout SimulationConfiguration) -> Void = { _ in }) async throws
    -> SimulationResult
  {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(8)
    configuration.replicas = 1
    change(&configuration)
    return try await Simulation(configuration).run(records: true)
  }

  @Test func `a page is well-formed and has no external resources or links`() async throws {
    let page = try await Self.result().html()
    let elements = MarkupElements(page)
    #expect(elements.errors == [])
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    // The scripts are the JSON and the one of the page. No image, font, frame or style is loaded.
    let scripts = elements.all.filter { $0.name == "script" }
    #expect(scripts.map { $0.attributes["type"] } == ["application/json", nil])
    let loading: Set = [
      "link", "img", "image", "iframe", "object", "embed", "use", "video", "audio", "base", "form",
    ]
    #expect(elements.all.filter { loading.contains($0.name) }.isEmpty)
    for element in elements.all {
      #expect(element.attributes["src"] == nil && element.attributes["srcset"] == nil, "\(element)")
      #expect(element.attributes["href"]?.hasPrefix("#") ?? true, "\(element)")
      #expect(element.attributes.keys.allSatisfy { !$0.hasPrefix("on") }, "\(element)")
    }
    #expect(!page.contains("@import") && !page.contains("http://") && !page.contains("https://"))
    let urls = page.ranges(of: "url(").map { page[$0.upperBound] }
    #expect(!urls.isEmpty && urls.allSatisfy { $0 == "#" })
    let policy = elements.all.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }
    #expect(
      policy?.attributes["content"]
        == "default-src 'none'; style-src 'unsafe-inline'; script-src '\(Page.scriptHash)'")
  }

  @Test func `every figure has a title, reading instructions and a text alternative`()
    async throws
  {
    let result = try await Self.result()
    let page = try result.html()
    let elements = MarkupElements(page)
    let ids = elements.all.compactMap { $0.attributes["id"] }
    #expect(ids.count == Set(ids).count)
    let links = elements.all.compactMap { $0.attributes["href"]?.dropFirst() }
    #expect(links.count >= 8 && links.allSatisfy { ids.contains(String($0)) })
    let images = elements.all.filter { $0.attributes["role"] == "img" }
    #expect(images.count >= 7)
    #expect(images.allSatisfy { $0.name == "svg" && $0.attributes["aria-label"]?.isEmpty == false })
    #expect(elements.all.count { $0.name == "figure" } == 6)
    #expect(page.ranges(of: "<b>How to read it.</b>").count == 6)
    // The naive loader and Cellophane are next to each other, with the same axes.
    let charts = elements.all.filter { $0.attributes["data-time"] != nil }
    for key in ["data-time", "data-box", "data-reach"] {
      let values = ["naive_recording", "recording"].map { run in
        charts.filter { $0.attributes["data-run"] == run && $0.attributes["data-reach"] != nil }
          .map { $0.attributes[key] }
      }
      #expect(values[0] == values[1] && values[0].count >= 1, "\(key)")
    }
    #expect(elements.all.first { $0.name == "html" }?.attributes["lang"] == "en")
    for id in elements.all.compactMap({ $0.attributes["aria-labelledby"] }) { #expect(ids.contains(id)) }
    #expect(page.contains(result.fingerprint ?? "none"))
    let words = page.replacing("<span>", with: "").replacing("</span>", with: "")
    #expect(words.contains(result.reproduce ?? "none"))
    for assumption in result.config.assumptions ?? [] { #expect(page.contains(Markup.escaped(assumption))) }
  }

  @Test func `a page shows assertions that hold and assertions that fail`() async throws {
    var result = try await Self.result { $0.duration = .seconds(1) }
    #expect(!(try result.html()).contains("Assertions"))
    result.assertions = try ["blank_ratio<=100%", "requests<0"].map {
      try Assertion(parsing: $0).checked(on: result)
    }
    let page = try result.html()
    #expect(
      page.contains("1 of 2") && page.contains("✓ blank_ratio&lt;=100% holds: ")
        && page.contains("✗ requests&lt;0 does not hold: "))
  }

  /// A cell of a grid has no space for a label, and several rows are side by side.
  @Test func `a grid is drawn as tiles without labels, with round row numbers on the axis`() async throws {
    let result = try await Self.result { $0.list.layout = .grid }
    let recording = try #require(result.recording)
    let strip = Filmstrip(try #require(result.pair)).markup.text
    #expect(strip.contains(#"class="tile "#) && !strip.contains(#"class="words""#))
    let ticks = RowAxis(recording).ticks(in: 0...4_000, about: 8)
    #expect(ticks.count > 4 && ticks.allSatisfy { ($0.row.last == "0" || $0.row.last == "5") }, "\(ticks)")
    let rows = try await Self.result().pair
    #expect(Filmstrip(try #require(rows)).markup.text.contains("words"))
  }

  /// For the oracle only the blank share is known.
  @Test func `the survival figure omits loaders without waits`() async throws {
    let result = try await Self.result()
    #expect(result.survival.contains { $0.loader == "oracle" && $0.longest == nil })
    let figure = try #require(SurvivalFigure(curves: result.survival).figure)
    #expect(figure.table?.head == ["after", "cellophane", "naive", "on demand"])
    #expect(!figure.markup.text.contains("oracle") && !figure.markup.text.contains("no_prefetch"))
  }

  @Test func `a page has every number with its interval, and explains every loader`() async throws {
    let result = try await Self.result {
      $0.duration = .seconds(4)
      $0.replicas = 10
    }
    let page = try result.html()
    let words = page.replacing("\u{A0}", with: " ")
    for loader in [
      "cellophane: this run", "naive: a simple loader", "on demand: Cellophane", "oracle: a lower bound",
    ] {
      #expect(words.contains(loader), "\(loader)")
    }
    for row in TableRow.sections.flatMap(\.rows) {
      // The run has neither previews nor planners with limited foresight, so the page omits their rows.
      let isListed = page.contains(#"<th scope="row">\#(Markup.escaped(row.label))</th>"#)
      #expect(isListed != (row.needsPreviews || row.needsForesight), "\(row.label)")
    }
    #expect(words.ranges(of: "95 % interval ").count >= 4)
    #expect(words.contains("What to do:") && words.contains("first time down"))
    let planned = try await Self.result {
      $0.duration = .seconds(1)
      $0.foresight = true
    }
    for text in [try planned.html(), planned.table(all: true)] { #expect(text.contains("next second known")) }
    let alone = try await Self.result { $0.duration = .seconds(1) }.html().replacing("\u{A0}", with: " ")
    #expect(!alone.contains("95 % interval ") && alone.contains("One replica does not show"))
    let few = try await Self.result {
      $0.duration = .seconds(1)
      $0.replicas = 5
    }
    let text = try few.html().replacing("\u{A0}", with: " ")
    #expect(!text.contains("95 % interval ") && text.contains("5 replicas do not show"))
    #expect(few.table().contains("5 replicas do not show") && !few.table().contains("±"))
  }

  /// A reader finds an explanation next to the name of each setting.
  @Test(arguments: ListKind.allCases, [ScrollProfile.reader, .constant(3_000)])
  func `every setting has a label`(kind: ListKind, profile: ScrollProfile) throws {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.gesture.profile = profile
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(5))]
    let completed = configuration.completed(layout: try configuration.checkedLayout(), meanBytes: 1)
    guard case .object(let sections) = try JSONValue(completed) else {
      throw CancellationError()
    }
    for (name, value) in sections where name != "assumptions" {
      guard case .object(let fields) = value else {
        #expect(SettingLabels.settings[name] != nil, "\(name)")
        continue
      }
      #expect(SettingLabels.sections.contains { $0.name == name }, "\(name)")
      for field in fields.keys {
        #expect(SettingLabels.settings[name + "." + field] != nil, "\(name).\(field)")
      }
    }
  }

  @Test func `the filmstrip is a separate SVG image`() async throws {
    let result = try await Self.result { $0.list.layout = .grid }
    let strip = try #require(result.filmstrip())
    let elements = MarkupElements(strip)
    #expect(elements.errors == [] && elements.all.first?.name == "svg")
    #expect(elements.all.first?.attributes["xmlns"] == "http://www.w3.org/2000/svg")
    // The strip has the eight moments of the report for both loaders, and no external resources.
    #expect(elements.all.count { $0.attributes["class"] == "bezel" } == 16)
    #expect(!elements.all.contains { ["script", "image", "use", "foreignObject"].contains($0.name) })
    #expect(strip.ranges(of: "http").count == 1 && strip.contains("a missing image"))
    #expect(try await Simulation(result.config.asPlayed).run().filmstrip() == nil)
  }

  @Test func `the frames are the moments with the most blank area`() async throws {
    let pair = try #require(try await Self.result().pair)
    let strip = Filmstrip(pair)
    #expect(strip.times.count == 8 && strip.times == strip.times.sorted())
    func blank(_ time: Int64) -> Double {
      pair.runs.reduce(0) { sum, run in
        let series = run.recording.series
        return sum + (series.samples[Int(time / series.step)].blankShare ?? 0)
      }
    }
    for (index, time) in strip.times.enumerated() {
      let eighth = pair.end * Int64(index) / 8..<pair.end * Int64(index + 1) / 8
      let times = stride(from: eighth.lowerBound, to: eighth.upperBound, by: 25_000)
      let most =
        times.filter { time in !pair.runs.contains { $0.recording.jumps(at: time) } }.map(blank).max() ?? 0
      #expect(eighth.contains(time) && blank(time) == most, "\(time)")
    }
  }

  @Test func `waterfalls draw every transfer of their time range`() async throws {
    let result = try await Self.result()
    let pair = try #require(result.pair)
    let excerpts = Excerpt.all(of: pair)
    let figure = try #require(WaterfallFigure(pair: pair, excerpts: excerpts).figure)
    let bars = figure.panels.map { $0.drawing.text.ranges(of: "<title>").count }
    let transfers = excerpts.flatMap { excerpt in
      pair.runs.map { run in run.recording.transfers.count { excerpt.window.contains($0.start) } }
    }
    #expect(bars == transfers.filter { $0 > 0 } && !bars.isEmpty)
  }

  /// Returns `result` with the data of an hour: the bins of an hour, and waits of 200 lengths in each replica.
  /// A real hour over `wpt-lte` has waits of 28 lengths.
  private static func hour(of result: SimulationResult) throws -> SimulationResult {
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(result.json())) as? [String: Any])
    let waits: [String: [Int]] = [
      "ticks": Array(0..<200), "over": Array(repeating: 12, count: 200),
      "cut": Array(repeating: 3, count: 200),
    ]
    object["samples"] = try #require(object["samples"] as? [String: [String: Any]]).mapValues { sample in
      sample.merging(["replicas": Array(repeating: waits, count: result.config.replicas)]) { $1 }
    }
    object["series"] = [
      "replica": 0, "bin_ms": 800, "offset_px": Array(repeating: 123_456.789, count: 4_500),
      "velocity": Array(repeating: -1_234.567, count: 4_500),
      "blank_ratio": Array(repeating: 0.123_456_789_012, count: 4_500),
      "inflight": Array(repeating: 12, count: 4_500), "down_bytes": Array(repeating: 123_456, count: 4_500),
    ]
    var config = try #require(object["config"] as? [String: Any])
    config["duration_ms"] = 3_600_000
    object["config"] = config
    return try SimulationResult(json: Array(JSONSerialization.data(withJSONObject: object)))
  }

  /// 6 MB, 3 MB for each loader: small enough for an email, and for a browser to open without delay. The longest runs have the most spans and
  /// the finest curves.
  @Test func `the page of an hour with 20 replicas and the largest recordings is below 6 MB`() async throws {
    var result = try Self.hour(
      of: try await Self.result {
        $0.duration = .seconds(2)
        $0.replicas = 20
      })
    for profile in [ScrollProfile.constant(9_000), .skimmer] {
      result.recording = try ScriptedRun(profile: profile, seconds: 600, rows: 50_000).recording()
      result.naiveRecording = result.recording
      let recording = try #require(result.recording)
      #expect(recording.series.samples.count > Recording.Series.limit / 2)
      let spans = recording.appearances.count + recording.transfers.count + recording.decodings.count
      #expect(spans > 10_000, "\(spans)")
      let page = try result.html()
      #expect(page.utf8.count < 6_000_000, "\(page.utf8.count) bytes of \(spans) spans")
    }
  }

  @Test func `a result that is read from JSON gives the same page`() async throws {
    let result = try await Self.result()
    let read = try SimulationResult(json: result.json())
    #expect(read == result)
    #expect(try read.html() == result.html())
  }

  @Test func `a page without a recording has the survival figure and no space-time figure`() async throws {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(2)
    configuration.replicas = 2
    let page = try await Simulation(configuration).run().html()
    let elements = MarkupElements(page)
    #expect(elements.errors == [])
    #expect(elements.all.contains { $0.attributes["id"] == "survival" })
    #expect(!elements.all.contains { $0.attributes["id"] == "space-time" })
  }

  @Test func `a run without scrolling or images gives a well-formed page`() async throws {
    let page = try await Self.result {
      $0.list.rows = 1
      $0.duration = .milliseconds(100)
    }.html()
    #expect(MarkupElements(page).errors == [])
    #expect(!page.contains("NaN") && !page.contains("inf\""))
  }

  @Test func `external text is escaped`() async throws {
    let hostile = "</script><script>alert(1)</script> \"'&<img src=x onerror=alert(1)>\u{0}\u{1B}"
    var result = try await Self.result { $0.duration = .seconds(1) }
    result.reproduce = hostile
    let page = try result.html()
    let elements = MarkupElements(page)
    #expect(elements.errors == [])
    #expect(elements.all.filter { $0.name == "script" }.count == 2)
    #expect(!elements.all.contains { $0.name == "img" })
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
    #expect(!page.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    // The JSON in the page is the result, without markup.
    let start = try #require(page.ranges(of: #"id="result">"#).first)
    let end = try #require(page[start.upperBound...].ranges(of: "</script>").first)
    let json = page[start.upperBound..<end.lowerBound]
    #expect(!json.contains("<"))
    #expect(try SimulationResult(json: Array(json.utf8)) == result)
  }

  @Test(arguments: [
    ("", ""), ("a & b", "a &amp; b"), ("<x y=\"1\" z='2'>", "&lt;x y=&quot;1&quot; z=&#39;2&#39;&gt;"),
    ("tab\tline\n", "tab\tline\n"), ("\u{7}\u{7F}\u{85}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("ä\u{202E}日", "ä\u{202E}日"),
  ])
  func `special characters are escaped`(text: String, escaped: String) {
    #expect(Markup.escaped(text) == escaped)
    #expect(("<p title=\"\(text)\">" as Markup).text == "<p title=\"\(escaped)\">")
  }
}
