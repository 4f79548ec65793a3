/// The content of a report, in the order of the page.
struct ReportBody: Sendable {
  /// The subject of the page.
  let title: String
  /// The result in one sentence; nil without numbers.
  var verdict: String?
  /// The reason for the result and the next step, each with its title.
  var notes: [(title: String, text: String)] = []
  /// A summary of the settings.
  let lead: String
  /// A warning above all numbers, or nil.
  let warning: String?
  /// The tool, the seeds and the kind of time.
  let meta: String
  /// The screens over time; nil without a recording.
  var film: Markup?
  let cards: [Card]
  let figures: [Figure]
  /// All metrics, by section.
  let numbers: [Table]
  /// Explanations of the loaders and the marks in ``numbers``.
  let numberNotes: [String]
  /// All settings, by section.
  let settings: [Table]
  /// The case to which the settings belong, if there are several.
  var settingsNote: String?
  /// The sources and assumptions behind the numbers.
  let assumptions: [String]
  /// The commands that repeat the run; empty if unknown.
  let commands: [Command]

  /// A command and its purpose.
  struct Command: Sendable {
    let title: String
    let text: String
  }

  /// Returns a command that wraps between words only. Without this, browsers break after each hyphen.
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
      self.assumptions.isEmpty ? "" : #"<h3>Assumptions</h3><ul class="plain">\#(assumptions)</ul>"#
    let warning: Markup = warning.map { #"<p class="warning" role="note">\#($0)</p>"# } ?? ""
    let kicker: Markup = verdict == nil ? "" : #"<p class="kicker">\#(title)</p>"#
    let reasons = self.notes.map {
      #"<p class="lead"><b>\#($0.title)</b> \#($0.text.unbroken)</p>"# as Markup
    }
    .joined()
    return """
      <header>\(kicker)<h1>\((verdict ?? title).unbroken)</h1>\(warning)\(reasons)</header>
      <main>\(film ?? "")<section class="first" aria-label="Main metrics"><div class="cards">
      \(cards.map(\.markup).joined())</div></section>
      <p class="meta">\(lead.unbroken)</p><p class="meta">\(meta)</p>
      <nav aria-label="Sections of this report">\(links)<a href="#numbers">All metrics</a><a href="#settings">Settings</a></nav>
      \(figures.map(\.markup).joined())
      <section id="numbers" aria-labelledby="numbers-title"><h2 id="numbers-title">All metrics</h2>
      <ul class="plain">\(notes)</ul><div class="numbers">\(numbers)</div></section>
      <section id="settings" aria-labelledby="settings-title"><h2 id="settings-title">Settings</h2>
      \(repeated)
      \(note)<div class="settings">\(settings)</div>
      \(assumed)</section></main>
      <footer>This page is one file without external resources. Its script only links and zooms the charts; they are complete \
      without it and on paper. The page also contains the result as JSON.</footer>
      """
  }
}
