internal import CTerminal

extension Character {
  /// How many columns of a terminal it takes; 0 for one that has nothing to stand on.
  var columns: Int {
    if let ascii = asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    let sum = unicodeScalars.reduce(0) { $0 + Int(terminal_columns($1.value)) }
    // Terminals that know how emoji are joined, coloured and chosen draw them as one.
    return unicodeScalars.contains { $0 == "\u{FE0F}" || $0.properties.isEmojiModifier }
      || unicodeScalars.contains("\u{200D}") && sum > 1 ? 2 : sum
  }
}

extension StringProtocol {
  /// How many columns of a terminal it takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// As many of its first characters as fit into `columns`, with an ellipsis for the rest.
  func fitted(_ columns: Int) -> String {
    var used = 0
    var fitting = ""
    // Up to where there is room for the ellipsis, too.
    var shortened = ""
    for character in self {
      used += character.columns
      if used > columns { return columns > 0 ? shortened + "…" : "" }
      fitting.append(character)
      if used < columns { shortened = fitting }
    }
    return fitting
  }

  /// As many of its last characters as fit into `columns`.
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

  /// A message that begins with a URL, with that at its end: a line may have room for less than the URL alone.
  var reasonFirst: String {
    guard let blank = firstIndex(of: " "), self[..<blank].contains("://") else { return String(self) }
    return "\(self[index(after: blank)...]): \(self[..<blank])"
  }

  /// Without what would steer a terminal, or turn the text around it: what origins, lists and keys say.
  var printable: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: text.append(" ")
      case .surrogate, .unassigned, .privateUse: text.append("\u{FFFD}")
      // But what joins emoji and letters.
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
