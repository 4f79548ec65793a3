internal import Cellophane
internal import Foundation
internal import Testing

@testable internal import CellophaneSimulation

@Suite struct HTMLReportTests {
  static func result(_ change: (inout SimulationConfiguration) -> Void = { _ in }) async throws
    -> SimulationResult
  {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(8)
    configuration.replicas = 1
    change(&configuration)
    return try await Simulation(configuration).run(RecorderTests.records)
  }

  @Test func `a page is whole, and nothing in it leads elsewhere`() async throws {
    let page = try await Self.result().html()
    let elements = Elements(page)
    #expect(elements.flaws == [])
    #expect(page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n"))
    // No script but the JSON, no picture, font, frame or style from elsewhere.
    let scripts = elements.all.filter { $0.name == "script" }
    #expect(scripts.map { $0.attributes["type"] } == ["application/json"])
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
    #expect(policy?.attributes["content"] == "default-src 'none'; style-src 'unsafe-inline'")
  }

  @Test func `every picture has a title, a sentence on how to read it, and words for who cannot see it`()
    async throws
  {
    let result = try await Self.result()
    let page = try result.html()
    let elements = Elements(page)
    let ids = elements.all.compactMap { $0.attributes["id"] }
    #expect(ids.count == Set(ids).count)
    let links = elements.all.compactMap { $0.attributes["href"]?.dropFirst() }
    #expect(links.count >= 7 && links.allSatisfy { ids.contains(String($0)) })
    let pictures = elements.all.filter { $0.attributes["role"] == "img" }
    #expect(pictures.count >= 7)
    #expect(pictures.allSatisfy { $0.name == "svg" && $0.attributes["aria-label"]?.isEmpty == false })
    #expect(elements.all.count { $0.name == "figure" } == 7)
    #expect(page.ranges(of: "<b>How to read it.</b>").count == 7)
    #expect(elements.all.first { $0.name == "html" }?.attributes["lang"] == "en")
    for id in elements.all.compactMap({ $0.attributes["aria-labelledby"] }) { #expect(ids.contains(id)) }
    #expect(page.contains(result.fingerprint ?? "none"))
    let words = page.replacing("<span>", with: "").replacing("</span>", with: "")
    #expect(words.contains(result.reproduce ?? "none"))
    for assumption in result.config.assumptions ?? [] { #expect(page.contains(Markup.escaped(assumption))) }
  }

  @Test func `what was asked to hold is on the page, held or not`() async throws {
    var result = try await Self.result { $0.duration = .seconds(1) }
    #expect(!(try result.html()).contains("What was asked to hold"))
    result.assertions = try ["blank_ratio<1.5", "requests<0"].map {
      try Assertion(parsing: $0).checked(on: result.metrics.run)
    }
    let page = try result.html()
    #expect(
      page.contains("1 of 2") && page.contains("✓ blank_ratio&lt;1.5: ")
        && page.contains("✗ requests&lt;0: "))
  }

  /// A row beside others has no room for words, and its number is not its line's.
  @Test func `a grid is drawn as one`() async throws {
    let result = try await Self.result { $0.list.layout = .grid }
    let recording = try #require(result.recording)
    let strip = Filmstrip(recording: recording).figure.panels.map(\.drawing.text).joined()
    #expect(strip.contains(#"class="tile "#) && !strip.contains(#"class="words""#))
    let ticks = RowAxis(recording).ticks(in: 0...4_000, about: 8)
    #expect(ticks.count > 4 && ticks.allSatisfy { ($0.row.last == "0" || $0.row.last == "5") }, "\(ticks)")
    let rows = try await Self.result().recording
    #expect(
      Filmstrip(recording: try #require(rows)).figure.panels.contains { $0.drawing.text.contains("words") })
  }

  @Test func `a page is rebuilt from JSON alone`() async throws {
    let result = try await Self.result()
    let read = try SimulationResult(json: result.json())
    #expect(read == result)
    #expect(try read.html() == result.html())
  }

  @Test func `a result without a recording makes a page of its numbers`() async throws {
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(2)
    configuration.replicas = 2
    let page = try await Simulation(configuration).run().html()
    let elements = Elements(page)
    #expect(elements.flaws == [])
    #expect(elements.all.contains { $0.attributes["id"] == "survival" })
    #expect(!elements.all.contains { $0.attributes["id"] == "space-time" })
  }

  @Test func `nothing happened: no list, no flick, no picture`() async throws {
    let page = try await Self.result {
      $0.list.rows = 1
      $0.duration = .milliseconds(100)
    }.html()
    #expect(Elements(page).flaws == [])
    #expect(!page.contains("NaN") && !page.contains("inf\""))
  }

  /// What comes from outside is text.
  @Test func `text from outside stays text`() async throws {
    let hostile = "</script><script>alert(1)</script> \"'&<img src=x onerror=alert(1)>\u{0}\u{1B}"
    var result = try await Self.result { $0.duration = .seconds(1) }
    result.reproduce = hostile
    let page = try result.html()
    let elements = Elements(page)
    #expect(elements.flaws == [])
    #expect(elements.all.filter { $0.name == "script" }.count == 1)
    #expect(!elements.all.contains { $0.name == "img" })
    #expect(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"))
    #expect(!page.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
    // The JSON in the page is the result.
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
  func `escaping`(text: String, escaped: String) {
    #expect(Markup.escaped(text) == escaped)
    #expect(("<p title=\"\(text)\">" as Markup).text == "<p title=\"\(escaped)\">")
  }
}

@Suite struct ReportStyleTests {
  /// The colours of a scheme, by name.
  private static func colours(dark: Bool) throws -> [String: String] {
    let parts = Page.style.text.split(separator: ":root{")
    let text = try #require(parts.dropFirst(dark ? 1 : 0).first).prefix { $0 != "}" }
    var colours: [String: String] = [:]
    for declaration in text.split(separator: ";") {
      let pair = declaration.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
      if pair.count == 2, pair[1].hasPrefix("#") { colours[pair[0]] = String(pair[1].dropFirst()) }
    }
    return colours
  }

  /// The relative luminance (WCAG 2.2) of three or six hexadecimal digits.
  private static func luminance(_ colour: String) throws -> Double {
    let digits = colour.count == 3 ? colour.flatMap { [$0, $0] } : Array(colour)
    let channels = try [0, 2, 4].map { index in
      let value = Double(try #require(Int(String(digits[index...index + 1]), radix: 16))) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  @Test(arguments: [false, true])
  func `text has a contrast of 4.5, and what is drawn one of 3, to its ground`(dark: Bool) throws {
    let colours = try Self.colours(dark: dark)
    func contrast(_ first: String, _ second: String) throws -> Double {
      let pair = try [first, second].map { try Self.luminance(try #require(colours["--" + $0], "\($0)")) }
        .sorted()
      return (pair[1] + 0.05) / (pair[0] + 0.05)
    }
    for text in ["ink", "muted", "accent"] {
      for ground in ["bg", "card"] { #expect(try contrast(text, ground) >= 4.5, "\(text) on \(ground)") }
    }
    for text in ["good", "bad"] { #expect(try contrast(text, "card") >= 4.5, "\(text)") }
    for drawn in ["shown", "blank", "fetch", "gone", "failed", "edge"] {
      #expect(try contrast(drawn, "bg") >= 3, "\(drawn)")
    }
  }
}

@Suite struct ScaleTests {
  @Test(
    arguments: [
      (0.0, 100.0, 5, [0, 20, 40, 60, 80, 100]), (0, 1, 2, [0, 0.5, 1]), (3, 11, 4, [4, 6, 8, 10]),
      (0, 0, 4, []), (-10, 10, 4, [-10, -5, 0, 5, 10]),
    ] as [(Double, Double, Int, [Double])])
  func `round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    #expect(Scale(low...high, to: 0, 1).ticks(about: count).filter { $0 > 1e-6 || low < high } == ticks)
  }

  @Test(
    arguments: [
      (10.0, 1_000.0, 8, [10, 20, 50, 100, 200, 500, 1_000]), (1, 1e6, 4, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
    ] as [(Double, Double, Int, [Double])])
  func `round factors`(low: Double, high: Double, count: Int, ticks: [Double]) {
    let found = Scale(low...high, to: 0, 1, kind: .logarithmic).ticks(about: count)
    #expect(found.count == ticks.count && zip(found, ticks).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
  }

  @Test func `places, turned and not, and none outside`() {
    let scale = Scale(0...10, to: 100, 0)
    #expect([0, 5, 10, -5, 50].map { scale($0) } == [100, 50, 0, 100, 0])
    let factors = Scale(1...100, to: 0, 2, kind: .logarithmic)
    #expect([1.0, 10, 100, 0].map { factors($0) } == [0, 1, 2, 0])
  }

  @Test(arguments: [
    (0.0, "0"), (1.25, "1.3"), (-0.04, "0"), (-12.34, "-12.3"), (100, "100"), (.nan, "0"), (.infinity, "0"),
    (1e300, "0"),
  ])
  func `numbers of a drawing`(value: Double, text: String) { #expect(Markup.number(value) == text) }
}
