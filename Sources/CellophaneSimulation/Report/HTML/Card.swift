/// A number at the head of a report.
struct Card: Sendable {
  /// A number to hold it against.
  struct Comparison: Sendable {
    let name: String
    /// The class of its bar.
    let style: String
    let value: Double
    let text: String
  }

  let title: String
  let value: String
  /// How sure the number is; nil when nothing is known of that.
  var interval: String?
  /// What it means.
  let meaning: String
  var comparisons: [Comparison] = []
  /// Something that must hold: whether it does.
  var holds: Bool?

  var markup: Markup {
    let sure: Markup = interval.map { #"<p class="interval">\#($0.unbroken)</p>"# } ?? ""
    let style = holds.map { $0 ? "card holds" : "card broken" } ?? "card"
    return """
      <article class="\(style)"><h3>\(title)</h3><p class="value">\(value)</p>\(sure)\(bars)<p class="meaning">\(meaning.unbroken)</p>\
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
