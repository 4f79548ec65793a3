/// What must not stand in the sources of the library and the simulation: it escapes the injected time and
/// tasks, what the compiler proves, or the promise that bad input never stops the process.
enum SourceRules {
  /// Written so that this file, too, holds each once.
  static let forbidden = [
    "Task {", "Task(", "Task.detached", "Task.sleep", "Date()", "Date.now", "ContinuousClock",
    "SuspendingClock",
    "DispatchQueue", "DispatchTime", "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!",
    "fatalError(",
  ]

  /// The forbidden words in `source`, each with the number of its line, from 1. Comments and the text of
  /// string literals do not count.
  static func violations(in source: String) -> [(line: Int, word: String)] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { index, line in
      let code = code(of: line)
      return forbidden.filter { contains($0, in: code) }.map { (index + 1, $0) }
    }
  }

  /// The modules that `source` imports.
  static func imports(in source: String) -> Set<String> {
    Set(
      source.split(separator: "\n").compactMap { line in
        let words = code(of: line).split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        guard let place = words.firstIndex(of: "import") else { return nil }
        // What may stand between: `import struct Foundation.URL`.
        let kinds: Set<Substring> = [
          "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
        ]
        return words[(place + 1)...].first { !kinds.contains($0) }.map(String.init)
      })
  }

  /// True when `word` stands in `code` and is not the end of a longer name, as in `addTask {`.
  private static func contains(_ word: String, in code: String) -> Bool {
    var rest = code[...]
    while let range = rest.firstRange(of: word) {
      guard let before = code[..<range.lowerBound].last, before.isLetter || before.isNumber || before == "_"
      else { return true }
      rest = rest[range.upperBound...]
    }
    return false
  }

  /// `line` without its comment and without what stands in its string literals.
  private static func code(of line: Substring) -> String {
    var code = ""
    var isText = false
    var characters = line[...]
    while let character = characters.popFirst() {
      switch character {
      case "\\" where isText: characters = characters.dropFirst()
      case "\"":
        isText.toggle()
        code.append(character)
      case "/" where !isText && characters.first == "/": return code
      default: if !isText { code.append(character) }
      }
    }
    return code
  }
}
