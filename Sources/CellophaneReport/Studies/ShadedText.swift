/// Table cells shaded by their numbers: with a background color, or without colors by a block after the text.
struct ShadedText: Sendable {
  let scale: HeatScale?
  let usesColor: Bool

  /// Background colors from good to bad, as indices of the 256-color palette. All are light enough for black
  /// text, so the theme of the terminal does not matter. Blue and orange differ for every kind of color
  /// vision.
  static let colors = [153, 195, 230, 222, 215, 208, 166]
  /// Blocks from good to bad.
  static let blocks = ["  ", "░░", "▒▒", "▓▓", "██"]

  private static let plain = "\u{1B}[0m"

  /// The number of characters that shading adds to the text of a cell.
  var margin: Int { scale == nil ? 0 : usesColor ? 1 : 3 }

  /// Returns `text` with the shade of `value`, or without a shade if `value` is nil.
  func cell(_ text: String, _ value: Double?) -> String {
    guard let scale else { return text }
    guard let value else { return text + String(repeating: " ", count: margin) }
    guard usesColor else {
      return text + " " + Self.blocks[scale.shade(of: value, among: Self.blocks.count)]
    }
    return colored(text + " ", Self.colors[scale.shade(of: value, among: Self.colors.count)])
  }

  /// Returns a legend of the shades, or nil if nothing is shaded.
  func legend(_ number: StudyNumber) -> String? {
    guard let scale else { return nil }
    let (best, end) = (number.format(scale.best), number.format(scale.end))
    let word = scale.bestWord(number)
    guard usesColor else {
      return "Shaded from the \(word), \(best), to \(end): " + Self.blocks.dropFirst().joined(separator: " ")
    }
    return "Shaded from the \(word), " + colored(" \(best) ", Self.colors[0]) + " to "
      + colored(" \(end) ", Self.colors[Self.colors.count - 1])
  }

  /// Returns black `text` on a background of `color`. Black is color 16 of the palette, because terminal
  /// themes change colors 0 to 15.
  private func colored(_ text: String, _ color: Int) -> String {
    "\u{1B}[38;5;16;48;5;\(color)m\(text)\(Self.plain)"
  }
}
