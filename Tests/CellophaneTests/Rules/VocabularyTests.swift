internal import Foundation
internal import Testing

@Suite("Vocabulary")
struct VocabularyTests {
  @Test("the sources use no retired name")
  func sources() throws {
    let sources = URL(filePath: #filePath).appending(path: "../../../../Sources").standardized
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path())
      .filter { $0.hasSuffix(".swift") }.sorted()
    #expect(names.count > 500)
    for name in names {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for (line, word) in Vocabulary.violations(in: text) {
        Issue.record(
          "Sources/\(name):\(line) uses '\(word)'; Documentation/Architecture.md has the current name")
      }
    }
  }

  @Test(
    "only whole identifiers are found, not comments, strings or longer names",
    arguments: ["Errand", "colour"])
  func found(word: String) {
    #expect(Vocabulary.violations(in: "\nlet a: \(word)?").map(\.line) == [2])
    for line in ["// \(word)", "f(\"\(word)\")", "let \(word)s2 = 1"] {
      #expect(Vocabulary.violations(in: line).isEmpty, "\(line)")
    }
  }
}
