/// What must not stand in the sources of the library and the simulation: it escapes the injected time and
/// tasks, what the compiler proves, or the promise that bad input never stops the process.
enum SourceRules {
  /// Generic arguments of `Task` and white space do not matter: `Task<Void, Never>  {` is `Task {`.
  static let forbidden = [
    "Task {", "Task(", "Task.init", "Task.detached", "Task.immediate", "Task.immediateDetached", "Task.sleep",
    "Timer", "Date()", "Date.now", "ContinuousClock", "SuspendingClock", "DispatchQueue", "DispatchSource",
    "DispatchTime", "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "fatalError(",
  ]

  /// The same as tokens, by their first.
  private static let patterns = Dictionary(
    grouping: forbidden.map { word in (word: word, tokens: SourceTokens(word).tokens.map(\.text)) },
    by: { $0.tokens[0] })

  /// The forbidden words in `source`, each with the number of its line, from 1. Comments and the text of
  /// string literals do not count.
  static func violations(in source: String) -> [(line: Int, word: String)] {
    let tokens = withoutGenericTasks(SourceTokens(source).tokens)
    return tokens.indices.flatMap { place in
      patterns[tokens[place].text, default: []]
        .filter { tokens[place...].lazy.map(\.text).starts(with: $0.tokens) }
        .map { (tokens[place].line, $0.word) }
    }
  }

  /// The modules that `source` imports.
  static func imports(in source: String) -> Set<String> {
    let words = SourceTokens(source).tokens.map(\.text)
    // What may stand between: `import struct Foundation.URL`.
    let kinds: Set<String> = [
      "struct", "class", "enum", "actor", "protocol", "typealias", "func", "let", "var",
    ]
    return Set(
      words.indices.compactMap { place in
        // As a member, `import` is a name.
        guard words[place] == "import", place == 0 || words[place - 1] != "." else { return nil }
        return words[(place + 1)...].first { !kinds.contains($0) }
      })
  }

  /// `tokens` without the arguments of `Task<…>`, but where it is the type of a result, behind which a brace begins no task.
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

  /// True when the type of a result follows, perhaps with its module: `-> _Concurrency.`.
  private static func isResult(_ before: ArraySlice<SourceTokens.Token>) -> Bool {
    before.last?.text == "->" || before.last?.text == "." && before.dropLast(2).last?.text == "->"
  }
}
