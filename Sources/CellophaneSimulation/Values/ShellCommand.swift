/// A command as a shell reads it.
package struct ShellCommand: Sendable {
  /// The command and its arguments.
  let words: [String]

  /// A command of `words`.
  package init(_ words: [String]) { self.words = words }

  /// The words, those in quotes that a shell would not take as they are.
  package var text: String {
    words.map { word in
      let isPlain = !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "-_=./:,+".contains($0) }
      if isPlain { return word }
      return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
        + "'"
    }.joined(separator: " ")
  }
}
