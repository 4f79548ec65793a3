internal import Foundation
internal import Testing

@Suite("The articles")
struct ArticleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The lines of a text, without what they begin and end with, and without empty ones.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test(
    "show only what is compiled here",
    arguments: [
      "ThreeLayers": ["ThreeLayersSnippets"], "FromCellToSlot": ["CellToSlotSnippets"],
      "MovingStepByStep": ["MovingSnippets", "PublisherSnippets", "InputSnippets"],
      "TestingWithoutSleeping": ["TestingSnippets"],
    ])
  func compiled(article: String, sources: [String]) throws {
    let articles = Self.folder.appending(path: "../../../Sources/CellophaneScreens/CellophaneScreens.docc")
      .standardized
    let text = try String(contentsOf: articles.appending(path: article + ".md"), encoding: .utf8)
    let code = try sources.map { name in
      let source = try String(contentsOf: Self.folder.appending(path: name + ".swift"), encoding: .utf8)
      return "\n" + Self.lines(source).joined(separator: "\n") + "\n"
    }
    let blocks = text.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map {
      $0.dropFirst(6)
    }
    #expect(blocks.count >= 2)
    for block in blocks {
      let wanted = "\n" + Self.lines(String(block)).joined(separator: "\n") + "\n"
      #expect(code.contains { $0.contains(wanted) }, "\(article).md shows what no source holds:\n\(block)")
    }
  }
}
