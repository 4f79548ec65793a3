/// A main number at the top of a report.
struct Card: Sendable {
  let title: String
  let value: String
  /// The interval of the number or another note below it; nil for none.
  var interval: String?
  /// An explanation of the number; empty for none.
  var meaning = ""
  /// The number of the loader or result with which it is compared, and the difference; nil for none.
  var versus: String?
  /// Whether the checked condition holds; nil for a number without a condition.
  var holds: Bool?

  var markup: Markup {
    let note: Markup = interval.map { #"<p class="interval">\#($0.unbroken)</p>"# } ?? ""
    let style = holds.map { $0 ? "card holds" : "card broken" } ?? "card"
    let versus: Markup = versus.map { #"<p class="versus">\#($0.unbroken)</p>"# } ?? ""
    let meaning: Markup = meaning.isEmpty ? "" : #"<p class="meaning">\#(meaning.unbroken)</p>"#
    return """
      <article class="\(style)"><h3>\(title)</h3><p class="value">\(value.unbroken)</p>\(note)\(versus)\(meaning)</article>

      """
  }
}
