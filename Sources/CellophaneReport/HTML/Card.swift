/// A main number at the top of a report.
struct Card: Sendable {
  /// The same number of another loader.
  struct Comparison: Sendable {
    let name: String
    /// The CSS class of the bar.
    let style: String
    let value: Double
    let text: String
  }

  let title: String
  let value: String
  /// The interval of the number or another note below it; nil for none.
  var interval: String?
  /// An explanation of the number.
  let meaning: String
  var comparisons: [Comparison] = []
  /// Whether the checked condition holds; nil for a number without a condition.
  var holds: Bool?

  var markup: Markup {
    let note: Markup = interval.map { #"<p class="interval">\#($0.unbroken)</p>"# } ?? ""
    let style = holds.map { $0 ? "card holds" : "card broken" } ?? "card"
    return """
      <article class="\(style)"><h3>\(title)</h3><p class="value">\(value)</p>\(note)\(bars)<p class="meaning">\(meaning.unbroken)</p>\
      </article>

      """
  }

  private var bars: Markup {
    let highest = comparisons.map(\.value).max() ?? 0
    guard comparisons.count > 1, highest > 0 else { return "" }
    let rows = comparisons.map { comparison -> Markup in
      let share = Markup.number(max(comparison.value / highest * 100, 0.5))
      return """
        <tr><th scope="row">\(comparison.name)</th><td class="bar"><i class="\(comparison.style)" style="width:\(share)%"></i></td>\
        <td>\(comparison.text)</td></tr>
        """
    }.joined()
    return #"<table class="bars"><tbody>\#(rows)</tbody></table>"#
  }
}
