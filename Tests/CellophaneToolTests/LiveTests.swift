internal import CellophaneResults
internal import CellophaneSimulation
internal import Testing

@testable internal import CellophaneTool

@Suite("The live view")
struct LiveTests {
  /// Returns a screen of 400 by 800 px with four rows of 200 px, each with an image of 100 px at its left.
  private static func frame(_ contents: [LiveFrame.Content]) -> LiveFrame {
    LiveFrame(
      time: .seconds(15), width: 400, height: 800, velocity: -1_500, inFlight: 3, blank: 1, area: 4,
      cells: contents.enumerated().map { row, content in
        LiveFrame.Cell(
          row: row + 7, left: 0, top: Double(row) * 200, width: 100, height: 200, content: content)
      })
  }

  private static func screen(color: Bool, previews: Bool = true) -> LiveScreen {
    LiveScreen(
      frame: frame([.picture, .preview, .blank, .picture]), history: [0, 0.01, 0.5, 1], blankSoFar: 0.125,
      duration: .seconds(60), replicas: (2, 20), title: "Cellophane: reader over lte",
      showsPreviews: previews, usesColor: color)
  }

  @Test("rows are blocks that show their state, next to the numbers")
  func drawing() {
    let lines = Self.screen(color: false).lines(columns: 80, lines: 24)
    #expect(lines.count == 23 && lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") })
    // 20 lines for 800 px: five per row, with a quarter of the width for its image.
    let first = lines[2...21].map { $0.dropFirst().first ?? " " }
    #expect(String(first) == "█████▒▒▒▒▒·····█████")
    let text = lines.joined(separator: "\n")
    for part in [
      "15.0 of 60.0 s", "25.0 %", "12.5 %", " ▁▅█", "1500 px/s up", "7 to 10", "3 ■■■", "2 of 20",
      "━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("the naive loader is beside Cellophane, with the numbers of both")
  func pair() {
    var screen = Self.screen(color: false)
    let blank = Self.frame([.blank, .blank, .blank, .blank])
    screen.naive = LiveScreen.Other(frame: blank, blankSoFar: 0.5)
    let lines = screen.lines(columns: 80, lines: 24)
    #expect(lines.count == 23 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines[1].hasPrefix("┌─ naive ────────────┐ ┌─ cellophane ───────┐"), "\(lines[1])")
    let rows = lines[2...21].map { Array($0) }
    #expect(String(rows.map { $0[1] }) == String(repeating: "·", count: 20))
    #expect(String(rows.map { $0[24] }) == "█████▒▒▒▒▒·····█████")
    let text = lines.joined(separator: "\n")
    for part in [
      "blank       naive  cellophane", "now        25.0 %      25.0 %", "average    50.0 %      12.5 %",
    ] {
      #expect(text.contains(part), "\(part): \(text)")
    }
    // Before the naive loader has reached this time, its screen is empty.
    screen.naive = LiveScreen.Other(frame: nil, blankSoFar: nil)
    let waiting = screen.lines(columns: 80, lines: 24)
    #expect(
      waiting[2].hasPrefix("│                    │ │█")
        && waiting.contains { $0.contains("now             –") })
    // A narrow terminal has room for one screen.
    #expect(!screen.lines(columns: 60, lines: 24).contains { $0.contains("┌─ naive") })
  }

  @Test("the frames of the naive loader are found by their time, also in a long run")
  func history() {
    func frame(_ milliseconds: Int) -> LiveFrame {
      LiveFrame(
        time: .milliseconds(milliseconds), width: 1, height: 1, velocity: 0, inFlight: 0,
        blank: milliseconds < 1_000 ? 1 : 0, area: 1, cells: [])
    }
    var history = FrameHistory()
    #expect(history.entry(at: .zero) == nil)
    for milliseconds in stride(from: 0, to: 2_000, by: 10) { history.add(frame(milliseconds)) }
    for milliseconds in stride(from: 0, to: 2_000, by: 130) {
      let entry = history.entry(at: .milliseconds(milliseconds))
      let lag = Duration.milliseconds(milliseconds) - (entry?.frame.time ?? .zero)
      #expect(lag >= .zero && lag < .milliseconds(70), "\(milliseconds)")
    }
    let last = history.entry(at: .milliseconds(1_999))
    #expect(last.map { abs($0.blankSoFar - 0.5) < 0.02 } == true)
    // The run has not reached this time.
    #expect(history.entry(at: .seconds(3)) == nil)
    // An hour keeps a bounded number of frames.
    for second in 2..<3_600 {
      for tenth in 0..<10 { history.add(frame(second * 1_000 + tenth * 100)) }
    }
    let late = history.entry(at: .seconds(1_800))
    #expect(late.map { .seconds(1_800) - $0.frame.time < .seconds(3) } == true)
  }

  @Test("the legend explains previews only if the run has any")
  func legend() {
    func lines(_ previews: Bool) -> [String] {
      Self.screen(color: false, previews: previews).lines(columns: 80, lines: 24)
    }
    #expect(lines(true).contains { $0.contains("█ image  ▒ preview  · blank") })
    #expect(lines(false).contains { $0.contains("█ image  · blank") })
  }

  @Test("colors change only the styles, not the text")
  func colors() {
    let plain = Self.screen(color: false).lines(columns: 80, lines: 24)
    let colored = Self.screen(color: true).lines(columns: 80, lines: 24)
    #expect(colored != plain)
    let stripped = colored.map { line in
      line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
        index == 0 ? part : part.drop { $0 != "m" }.dropFirst()
      }.joined()
    }
    #expect(stripped == plain)
  }

  @Test(
    "the view fits every size of a terminal", arguments: [1, 20, 40, 56, 60, 80, 200], [2, 9, 11, 24, 60])
  func sizes(columns: Int, lines: Int) {
    let drawn = Self.screen(color: false).lines(columns: columns, lines: lines)
    #expect(drawn.count < lines && drawn.allSatisfy { $0.count <= columns })
    // A small terminal shows the main numbers, without the screen.
    #expect(drawn.contains { $0.contains("┌") } == (columns >= 56 && lines >= 11))
    if columns >= 40, lines >= 9 { #expect(drawn.contains { $0.contains("blank now   25.0 %") }) }
    if columns >= 20 { #expect(drawn.contains { $0.contains("time") }) }
  }

  @Test(
    "a speed is a factor or max",
    arguments: [
      ("1x", .factor(1)), ("10x", .factor(10)), ("0.5x", .factor(0.5)), ("max", .max), ("x", nil),
      ("0x", nil),
      ("-1x", nil), ("nanx", nil), ("infx", nil), ("10", nil), ("1e9x", nil), ("", nil),
    ] as [(String, Speed?)])
  func speeds(text: String, speed: Speed?) { #expect(Speed(argument: text) == speed) }

  @Test("NO_COLOR disables colors unless it is empty")
  func colorless() {
    for (environment, forbids) in [
      ([:], false), (["NO_COLOR": ""], false), (["NO_COLOR": "1"], true), (["NO_COLOR": "0"], true),
    ] as [([String: String], Bool)] {
      #expect(LiveOptions.forbidsColor(environment) == forbids, "\(environment)")
    }
  }

  @Test("without a terminal, progress is printed as lines, and with --quiet not at all")
  func piped() async throws {
    let room = try Room()
    let lines = try await room.run("simulate", "--duration", "1", "--replicas", "2", "--speed", "1x")
    #expect(lines.exit == 0 && !lines.errors.contains("\u{1B}") && lines.errorLines.count >= 1, "\(lines)")
    let quiet = try await room.run("simulate", "--duration", "1", "--replicas", "2", "--quiet")
    #expect(quiet.exit == 0 && quiet.errors.isEmpty && quiet.output.isEmpty, "\(quiet)")
  }
}
