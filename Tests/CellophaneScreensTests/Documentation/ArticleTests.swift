internal import Foundation
internal import Testing

@Suite("Articles and comments")
struct ArticleTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  /// The lines of a text, without what they begin and end with, and without empty ones.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// The lines of what is compiled here.
  private static func code(_ names: [String]) throws -> [String] {
    try names.map { name in
      let source = try String(contentsOf: folder.appending(path: name + ".swift"), encoding: .utf8)
      return "\n" + lines(source).joined(separator: "\n") + "\n"
    }
  }

  private static let sources = folder.appending(path: "../../../Sources/CellophaneScreens").standardized

  private static func check(_ text: String, _ place: String, shows code: [String]) -> Int {
    let blocks = text.components(separatedBy: "```").filter { $0.hasPrefix("swift\n") }.map {
      $0.dropFirst(6)
    }
    for block in blocks {
      let wanted = "\n" + lines(String(block)).joined(separator: "\n") + "\n"
      #expect(code.contains { $0.contains(wanted) }, "\(place) shows what no source holds:\n\(block)")
    }
    return blocks.count
  }

  @Test(
    "Articles show only what is compiled here",
    arguments: [
      "ThreeLayers": ["ThreeLayersSnippets"], "FromCellToSlot": ["CellToSlotSnippets"],
      "MovingStepByStep": ["MovingSnippets", "PublisherSnippets", "InputSnippets"],
      "TestingWithoutSleeping": ["TestingSnippets"],
    ])
  func compiled(article: String, sources: [String]) throws {
    let path = "CellophaneScreens.docc/\(article).md"
    let text = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
    #expect(Self.check(text, path, shows: try Self.code(sources)) >= 2)
  }

  @Test("Comments do, too")
  func comments() throws {
    let code = try Self.code(["ThreeLayersSnippets", "CellToSlotSnippets", "MovingSnippets"])
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path())
    var count = 0
    for path in paths.sorted() where path.hasSuffix(".swift") {
      let source = try String(contentsOf: Self.sources.appending(path: path), encoding: .utf8)
      let comments = Self.lines(source).filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }
      count += Self.check(comments.map { $0.drop { $0 == " " } }.joined(separator: "\n"), path, shows: code)
    }
    #expect(count >= 4)
  }
}
