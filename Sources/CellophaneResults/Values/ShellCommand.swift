/// A command line for a shell.
package struct ShellCommand: Sendable {
  /// The command and its arguments.
  let words: [String]

  /// Creates a command of `words`.
  package init(_ words: [String]) { self.words = words }

  /// The command as text. A word with a character that a shell interprets is in single quotes.
  package var text: String {
    words.map { word in
      let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_=./:,+".contains($0) }
      if isPlain { return word }
      return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }.joined(separator: " ")
  }
}
