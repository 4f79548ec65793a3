/// The parts of a report in their order.
struct ReportBody: Sendable {
  let title: String
  /// What was played and what came of it, in a few sentences.
  let lead: String
  /// What must be said before any number; nil when nothing must.
  let warning: String?
  /// What it was made by.
  let meta: String
  let cards: [Card]
  let figures: [Figure]
  /// Every number, by section.
  let numbers: [Table]
  /// What they are numbers of.
  let numberNotes: [String]
  /// What was played, by section.
  let settings: [Table]
  /// Whose settings they are, where that has to be said.
  var settingsNote: String?
  /// Where the numbers behind it come from.
  let assumptions: [String]
  /// The commands that repeat it; none when nobody knows.
  let commands: [Command]

  /// A command, with what it does.
  struct Command: Sendable {
    let title: String
    let text: String
  }

  /// The words of a command, which break between them alone: a browser would break after each hyphen.
  private static func words(_ command: String) -> Markup {
    let words = command.split(separator: " ", omittingEmptySubsequences: false)
    return words.enumerated().map { index, word -> Markup in
      index == 0 ? "<span>\(word)</span>" : " <span>\(word)</span>"
    }.joined()
  }

  var markup: Markup {
    let links = figures.map { ##"<a href="#\##($0.id)">\##($0.title)</a>"## as Markup }.joined()
    let numbers = numbers.map(\.markup).joined()
    let notes = numberNotes.map { "<li>\($0.unbroken)</li>" as Markup }.joined()
    let settings = settings.map(\.markup).joined()
    let assumptions = assumptions.map { "<li>\($0)</li>" as Markup }.joined()
    let repeated = commands.map {
      "<h3>\($0.title)</h3><pre><code>\(Self.words($0.text))</code></pre>" as Markup
    }.joined()
    let note: Markup = settingsNote.map { #"<p class="reading">\#($0)</p>"# } ?? ""
    let assumed: Markup =
      self.assumptions.isEmpty ? "" : #"<h3>What is assumed</h3><ul class="plain">\#(assumptions)</ul>"#
    let warning: Markup = warning.map { #"<p class="warning" role="note">\#($0)</p>"# } ?? ""
    return """
      <header><h1>\(title)</h1>\(warning)<p class="lead">\(lead.unbroken)</p><p class="meta">\(meta)</p>
      <nav aria-label="Parts of this report">\(links)<a href="#numbers">All numbers</a><a href="#settings">What was played</a></nav></header>
      <main><section class="first" aria-label="The main numbers"><div class="cards">
      \(cards.map(\.markup).joined())</div></section>
      \(figures.map(\.markup).joined())
      <section id="numbers" aria-labelledby="numbers-title"><h2 id="numbers-title">All numbers</h2>
      <ul class="plain">\(notes)</ul><div class="numbers">\(numbers)</div></section>
      <section id="settings" aria-labelledby="settings-title"><h2 id="settings-title">What was played</h2>
      \(repeated)
      \(note)<div class="settings">\(settings)</div>
      \(assumed)</section></main>
      <footer>This page is a single file: nothing in it is loaded from elsewhere, and it has no script. The numbers are in it as \
      JSON, too.</footer>
      """
  }
}
