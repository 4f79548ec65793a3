/// Code that the sources of the library and the simulation must not contain.
///
/// It would bypass the injected time and tasks, the checks of the compiler, or the rule that invalid input never
/// stops the process.
enum SourceRules {
  /// The forbidden code. White space and generic arguments of `Task` are ignored: `Task<Void, Never>  {` is `Task {`.
  static let forbidden = [
    "Task {", "Task(", "Task.init", "Task.detached", "Task.immediate", "Task.immediateDetached", "Task.sleep",
    "Timer", "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchQueue", "DispatchSource",
    "DispatchTime", "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "fatalError(",
  ]

  /// The forbidden code as tokens, by the first token.
  private static let patterns = Dictionary(
    grouping: forbidden.map { word in (word: word, tokens: SourceTokens(word).tokens.map(\.text)) },
    by: { $0.tokens[0] })

  /// Returns the forbidden code in `source`, each with its line number, from 1. Ignores comments and the text of string
  /// literals.
  static func violations(in source: String) -> [(line: Int, word: String)] {
    let tokens = withoutGenericTasks(SourceTokens(source).tokens)
    return tokens.indices.flatMap { index in
      patterns[tokens[index].text, default: []]
        .filter { tokens[index...].lazy.map(\.text).starts(with: $0.tokens) }
        .map { (tokens[index].line, $0.word) }
    }
  }

  /// Returns the modules that `source` imports.
  static func imports(in source: String) -> Set<String> {
    let words = SourceTokens(source).tokens.map(\.text)
    // An import may name a kind of declaration: `import struct Foundation.URL`.
    let kinds: Set<String> = [
      "struct", "class", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]
    return Set(
      words.indices.compactMap { index in
        // After a point, `import` is the name of a member.
        guard words[index] == "import", index == 0 || words[index - 1] != "." else { return nil }
        return words[(index + 1)...].first { !kinds.contains($0) }
      })
  }

  /// Returns `tokens` without the generic arguments of `Task`. Keeps them in a result type: a brace after it starts
  /// no task.
  private static func withoutGenericTasks(_ tokens: [SourceTokens.Token]) -> [SourceTokens.Token] {
    var kept: [SourceTokens.Token] = []
    var depth = 0
    for token in tokens {
      if depth > 0 {
        depth += token.text == "<" ? 1 : token.text == ">" ? -1 : 0
      } else if token.text == "<", kept.last?.text == "Task", !isResult(kept.dropLast()) {
        depth = 1
      } else {
        kept.append(token)
      }
    }
    return kept
  }

  /// Returns whether a result type follows `before`, possibly with its module: `-> _Concurrency.`.
  private static func isResult(_ before: ArraySlice<SourceTokens.Token>) -> Bool {
    before.last?.text == "->" || before.last?.text == "." && before.dropLast(2).last?.text == "->"
  }
}
