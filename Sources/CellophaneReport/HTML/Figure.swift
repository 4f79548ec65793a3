/// A figure of a report with its explanation.
struct Figure: Sendable {
  /// The HTML id, which is the target of links.
  let id: String
  let title: String
  /// The text after "How to read it."
  let reading: String
  let panels: [Panel]
  /// The arrangement of the panels.
  var layout = Layout.wide
  /// The meanings of the colors, by CSS class.
  var legend: [(swatch: String, meaning: String)] = []
  /// Notes below the drawings.
  var remarks: [String] = []
  /// The values as a table.
  var table: Table?

  /// An arrangement of panels.
  enum Layout: String, Sendable {
    /// Below each other, over the width of the page. A narrow window scrolls them.
    case wide
    /// Two next to each other; in a narrow window, below each other.
    case pair
    /// Beside the explanation; in a narrow window, below it.
    case single
  }

  /// A part of a figure with its own drawing. A printed page can break after it.
  struct Panel: Sendable {
    /// The title above the drawing; nil for none.
    var title: String?
    let drawing: Markup
    /// The width of the drawing, in px.
    var width = Figure.width
    let height: Double
    /// The text alternative of the drawing.
    let description: String
    /// The time axis; nil without one.
    var axis: TimeAxis?

    fileprivate var markup: Markup {
      let title: Markup = title.map { #"<p class="panel-title">\#($0)</p>"# } ?? ""
      return #"<div class="panel">\#(title)<svg viewBox="0 0 \#(width) \#(height)" role="img" "#
        + #"aria-label="\#(description)"\#(axis?.attributes ?? "")>\#(drawing)</svg></div>"#
    }
  }

  /// The width of a drawing over the complete page, in px.
  static let width = 960.0
  /// The width of one of two drawings next to each other, and of a drawing on a phone, in px.
  static let column = 520.0

  var markup: Markup {
    let legend = legend.map { #"<li><i class="swatch \#($0.swatch)"></i>\#($0.meaning)</li>"# as Markup }
      .joined()
    let key: Markup = self.legend.isEmpty ? "" : #"<ul class="legend">\#(legend)</ul>"#
    let remarks = remarks.map { "<figcaption>\($0.unbroken)</figcaption>" as Markup }.joined()
    let drawings = panels.map(\.markup).joined()
    // Only a region that scrolls needs the keyboard's focus.
    let region: Markup = layout == .wide ? #" tabindex="0" role="region" aria-label="\#(title)""# : ""
    return """
      <section id="\(id)" class="\(layout.rawValue)" aria-labelledby="\(id)-title"><div class="words"><h2 id="\(id)-title">\(title)</h2>
      <p class="reading"><b>How to read it.</b> \(reading.unbroken)</p>
      \(key)</div>
      <figure><div class="panels"\(region)>\(drawings)</div>\(remarks)</figure>
      \(table?.folded ?? "")</section>

      """
  }
}

/// A table. The first cell of each row is its name.
struct Table: Sendable {
  let caption: String
  let head: [String]
  let rows: [[String]]

  var markup: Markup {
    let head = head.map { #"<th scope="col">\#($0)</th>"# as Markup }.joined()
    let rows = rows.map { cells -> Markup in
      let first: Markup = #"<th scope="row">\#(cells.first ?? "")</th>"#
      return "<tr>\(first)\(cells.dropFirst().map { "<td>\($0)</td>" as Markup }.joined())</tr>"
    }.joined()
    let heading: Markup = self.head.isEmpty ? "" : "<thead><tr>\(head)</tr></thead>"
    return """
      <div class="scroll"><table><caption>\(caption)</caption>\(heading)<tbody>\(rows)</tbody></table></div>
      """
  }

  /// The table inside of a collapsed `details` element.
  var folded: Markup { "<details><summary>\(caption)</summary>\(markup)</details>" }
}
