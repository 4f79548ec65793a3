/// Cells of a table that are shaded by their numbers: by a colour behind each, or without colours by blocks beside it.
struct ShadedText: Sendable {
  let scale: HeatScale?
  let usesColour: Bool

  /// From good to bad: places among the 256 colours of a terminal, all light enough for black text, so that it does not
  /// matter which colours the terminal has of its own. Blue and orange: told apart by everybody.
  static let colours = [153, 195, 230, 222, 215, 208, 166]
  /// From good to bad.
  static let blocks = ["  ", "░░", "▒▒", "▓▓", "██"]

  private static let plain = "\u{1B}[0m"

  /// How many characters are added to the text of a cell.
  var margin: Int { scale == nil ? 0 : usesColour ? 1 : 3 }

  /// `text` with the shade of `value`; nil where it is not known.
  func cell(_ text: String, _ value: Double?) -> String {
    guard let scale else { return text }
    guard let value else { return text + String(repeating: " ", count: margin) }
    guard usesColour else {
      return text + " " + Self.blocks[scale.shade(of: value, among: Self.blocks.count)]
    }
    return coloured(text + " ", Self.colours[scale.shade(of: value, among: Self.colours.count)])
  }

  /// What the shades mean; nil without any.
  func legend(_ number: StudyNumber) -> String? {
    guard let scale else { return nil }
    let (best, worst) = (number.format(scale.best), number.format(scale.worst))
    let ends = number.path.better == nil ? ("least", "most") : ("best", "worst")
    guard usesColour else {
      return "Shaded from the \(ends.0), \(best), to the \(ends.1), \(worst): "
        + Self.blocks.dropFirst().joined(separator: " ")
    }
    return "Shaded from the \(ends.0), " + coloured(" \(best) ", Self.colours[0]) + " to the \(ends.1), "
      + coloured(" \(worst) ", Self.colours[Self.colours.count - 1])
  }

  /// Black: of the 256 colours, since the eighth or so is what the user's theme says.
  private func coloured(_ text: String, _ colour: Int) -> String {
    "\u{1B}[38;5;16;48;5;\(colour)m\(text)\(Self.plain)"
  }
}
