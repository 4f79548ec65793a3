internal import Cellophane
@testable internal import CellophaneTool
internal import Testing

@Suite("Formats of text output")
struct TextTests {
  @Test("columns have the width of their longest cell")
  func table() {
    var table = Table(.left, .right, .left)
    table.add("a", "1")
    table.add("longer", "12 345", "why")
    table.add("", "", "")
    #expect(table.lines == ["a            1", "longer  12 345  why", ""])
    #expect(Table(.left).lines.isEmpty)
  }

  @Test(
    "counts have spaces between thousands",
    arguments: [(0, "0"), (999, "999"), (1_000, "1 000"), (12_345, "12 345"), (1_234_567, "1 234 567")])
  func count(number: Int, text: String) { #expect(Text.count(number) == text) }

  @Test("one thing is named in the singular")
  func nouns() {
    #expect(Text.count(1, "request") == "1 request")
    #expect(Text.count(0, "request") == "0 requests" && Text.count(1_200, "request") == "1 200 requests")
  }

  @Test(
    "durations have the largest unit with a value of at least 2",
    arguments: [
      (-5, "0 s"), (0, "0 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (7_200, "2 h"),
      (172_799, "47 h"), (172_800, "2 days"), (.max, "106751991167300 days"),
    ] as [(Int64, String)])
  func span(seconds: Int64, text: String) { #expect(Duration.seconds(seconds).inWords == text) }
}
