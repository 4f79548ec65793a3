internal import CTerminal

extension Character {
  /// The number of terminal columns; 0 for a combining character without a base.
  var columns: Int {
    if let ascii = asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    let sum = unicodeScalars.reduce(0) { $0 + Int(terminal_columns($1.value)) }
    // Terminals draw joined emoji, and those with a modifier or variation selector, as one.
    return unicodeScalars.contains { $0 == "\u{FE0F}" || $0.properties.isEmojiModifier }
      || unicodeScalars.contains("\u{200D}") && sum > 1 ? 2 : sum
  }
}

extension StringProtocol {
  /// The number of terminal columns.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Returns the first characters that fit into `columns`, with an ellipsis for the rest.
  func fitted(_ columns: Int) -> String {
    var used = 0
    var fitting = ""
    // The characters that fit together with the ellipsis.
    var shortened = ""
    for character in self {
      used += character.columns
      if used > columns { return columns > 0 ? shortened + "…" : "" }
      fitting.append(character)
      if used < columns { shortened = fitting }
    }
    return fitting
  }

  /// Returns the last characters that fit into `columns`.
  func lastFitting(_ columns: Int) -> Substring {
    var used = 0
    var start = endIndex
    for index in indices.reversed() {
      used += self[index].columns
      if used > columns { break }
      start = index
    }
    return Substring(self[start...])
  }

  /// The message with a URL at its start moved to the end. A line may have less room than the URL needs.
  package var reasonFirst: String {
    guard let blank = firstIndex(of: " "), self[..<blank].contains("://") else { return String(self) }
    return "\(self[index(after: blank)...]): \(self[..<blank])"
  }

  /// The text without characters that control a terminal or the direction of text, for text from origins, lists and keys.
  package var printable: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text.append(" ")
      case .surrogate, .unassigned, .privateUse: text.append("\u{FFFD}")
      // Except the characters that join emoji and letters.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
