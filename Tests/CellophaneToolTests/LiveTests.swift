internal import CellophaneSimulation
internal import Testing

@testable internal import CellophaneTool

@Suite("The live view")
struct LiveTests {
  /// A screen of 400 by 800 px with four rows of 200 px, a picture of 100 px at the left of each.
  private static func frame(_ contents: [LiveFrame.Content]) -> LiveFrame {
    LiveFrame(
      time: .seconds(15), width: 400, height: 800, velocity: -1_500, inFlight: 3, blank: 1, area: 4,
      cells: contents.enumerated().map { row, content in
        LiveFrame.Cell(
          row: row + 7, left: 0, top: Double(row) * 200, width: 100, height: 200, content: content)
      })
  }

  private static func picture(color: Bool, previews: Bool = true) -> LiveScreen {
    LiveScreen(
      frame: frame([.picture, .preview, .blank, .picture]), history: [0, 0.01, 0.5, 1], blankSoFar: 0.125,
      duration: .seconds(60), replicas: (2, 20), title: "Cellophane: nobody over nothing",
      showsPreviews: previews, usesColor: color)
  }

  @Test("Rows are blocks of what they show, beside the numbers")
  func drawing() {
    let lines = Self.picture(color: false).lines(columns: 80, lines: 24)
    #expect(lines.count == 23 && lines.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") })
    // Twenty lines for 800 px: five a row, a quarter of the width for its picture.
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

  @Test("PreviewSubscribers are explained where there are any")
  func legend() {
    func lines(_ previews: Bool) -> [String] {
      Self.picture(color: false, previews: previews).lines(columns: 80, lines: 24)
    }
    #expect(lines(true).contains { $0.contains("█ image  ▒ preview  · blank") })
    #expect(lines(false).contains { $0.contains("█ image  · blank") })
  }

  @Test("Colors change nothing but colors")
  func colors() {
    let plain = Self.picture(color: false).lines(columns: 80, lines: 24)
    let colored = Self.picture(color: true).lines(columns: 80, lines: 24)
    #expect(colored != plain)
    let stripped = colored.map { line in
      line.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated().map { index, part in
        index == 0 ? part : part.drop { $0 != "m" }.dropFirst()
      }.joined()
    }
    #expect(stripped == plain)
  }

  @Test(
    "It fits every terminal that it is drawn on", arguments: [1, 20, 40, 56, 60, 80, 200], [2, 9, 11, 24, 60])
  func sizes(columns: Int, lines: Int) {
    let drawn = Self.picture(color: false).lines(columns: columns, lines: lines)
    #expect(drawn.count < lines && drawn.allSatisfy { $0.count <= columns })
    // A small one has the numbers that matter, without the screen.
    #expect(drawn.contains { $0.contains("┌") } == (columns >= 56 && lines >= 11))
    if columns >= 40, lines >= 9 { #expect(drawn.contains { $0.contains("blank now   25.0 %") }) }
    if columns >= 20 { #expect(drawn.contains { $0.contains("time") }) }
  }

  @Test(
    "Speeds",
    arguments: [
      ("1x", .factor(1)), ("10x", .factor(10)), ("0.5x", .factor(0.5)), ("max", .max), ("x", nil),
      ("0x", nil),
      ("-1x", nil), ("nanx", nil), ("infx", nil), ("10", nil), ("1e9x", nil), ("", nil),
    ] as [(String, Speed?)])
  func speeds(text: String, speed: Speed?) { #expect(Speed(argument: text) == speed) }

  @Test("The environment may ask for no colors")
  func colorless() {
    for (environment, forbids) in [
      ([:], false), (["NO_COLOR": ""], false), (["NO_COLOR": "1"], true), (["NO_COLOR": "0"], true),
    ] as [([String: String], Bool)] {
      #expect(LiveOptions.forbidsColor(environment) == forbids, "\(environment)")
    }
  }

  @Test("Without a terminal there are lines, without --quiet only")
  func piped() async throws {
    let room = try Room()
    let lines = try await room.run("simulate", "--duration", "1", "--replicas", "2", "--speed", "1x")
    #expect(lines.exit == 0 && !lines.errors.contains("\u{1B}") && lines.errorLines.count >= 1, "\(lines)")
    let quiet = try await room.run("simulate", "--duration", "1", "--replicas", "2", "--quiet")
    #expect(quiet.exit == 0 && quiet.errors.isEmpty && quiet.output.isEmpty, "\(quiet)")
  }
}
