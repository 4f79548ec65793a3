internal import Foundation

/// The files of the repository that the documentation tests read.
enum Repository {
  static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The modules that have a documentation catalog.
  static let documentedModules = [
    "Cellophane", "CellophaneScreens", "CellophanePublishers", "CellophaneTesting", "CellophaneTestOrigin",
    "CellophaneSimulation", "CellophaneReport",
  ]

  /// The modules that a module exports again. Its catalog documents them.
  static let exportedModules = [
    "Cellophane": [
      "CacheEviction", "CellophaneCore", "CellophaneCurl", "CellophaneDisk", "CellophaneHTTP",
      "CellophaneImages",
    ],
    "CellophaneSimulation": ["CellophaneResults"],
  ]

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Returns the paths of the files in `folder` and its subfolders that end in `suffix`, relative to the root, sorted.
  static func paths(in folder: String, suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path())
      .filter { $0.hasSuffix(suffix) }.map { folder + "/" + $0 }.sorted()
  }
}

/// Swift code without the differences that do not matter: indentation, empty lines and imports.
struct SwiftCode {
  let lines: [String]

  init(_ text: some StringProtocol) {
    lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("internal import ") }
  }

  private var joined: String { "\n" + lines.joined(separator: "\n") + "\n" }

  /// Returns true if the lines of `excerpt` are in this code, one after the other.
  func contains(_ excerpt: SwiftCode) -> Bool { joined.contains(excerpt.joined) }

  /// Returns the contents of the ```` ```swift ```` blocks of a Markdown text, with the numbers of their first lines.
  static func blocks(in markdown: String) -> [(line: Int, code: String)] {
    var blocks: [(line: Int, code: String)] = []
    var current: (line: Int, isSwift: Bool, lines: [Substring])?
    for (index, line) in markdown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      if let block = current {
        guard trimmed == "```" else {
          current?.lines.append(line)
          continue
        }
        if block.isSwift { blocks.append((block.line, block.lines.joined(separator: "\n"))) }
        current = nil
      } else if trimmed.hasPrefix("```") {
        current = (index + 2, trimmed.hasPrefix("```swift"), [])
      }
    }
    return blocks
  }
}
