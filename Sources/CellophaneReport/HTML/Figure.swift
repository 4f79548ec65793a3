/// A figure of a report with its explanation.
struct Figure: Sendable {
  /// The HTML id, which is the target of links.
  let id: String
  let title: String
  /// The text after "How to read it."
  let reading: String
  let panels: [Panel]
  /// The meanings of the colors, by CSS class.
  var legend: [(swatch: String, meaning: String)] = []
  /// Notes below the drawings.
  var remarks: [String] = []
  /// The values as a table.
  var table: Table?

  /// A part of a figure with its own drawing. A printed page can break after it.
  struct Panel: Sendable {
    let drawing: Markup
    let height: Double
    /// The text alternative of the drawing.
    let description: String
  }

  /// The width of every drawing, in px.
  static let width = 960.0

  var markup: Markup {
    let legend = legend.map { #"<li><i class="swatch \#($0.swatch)"></i>\#($0.meaning)</li>"# as Markup }
      .joined()
    let key: Markup = self.legend.isEmpty ? "" : #"<ul class="legend">\#(legend)</ul>"#
    let remarks = remarks.map { "<figcaption>\($0.unbroken)</figcaption>" as Markup }.joined()
    let drawings = panels.map { panel -> Markup in
      #"<svg viewBox="0 0 960 \#(panel.height)" role="img" aria-label="\#(panel.description)">\#(panel.drawing)</svg>"#
    }.joined()
    let numbers = table?.folded ?? ""
    return """
      <section id="\(id)" aria-labelledby="\(id)-title"><h2 id="\(id)-title">\(title)</h2>
      <p class="reading"><b>How to read it.</b> \(reading)</p>
      \(key)
      <figure><div class="wide" tabindex="0" role="region" aria-label="\(title)">\(drawings)</div>\(remarks)</figure>
      \(numbers)</section>

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
      <div class="wide"><table><caption>\(caption)</caption>\(heading)<tbody>\(rows)</tbody></table></div>
      """
  }

  /// The table inside of a collapsed `details` element.
  var folded: Markup { "<details><summary>\(caption)</summary>\(markup)</details>" }
}
