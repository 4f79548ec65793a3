/// The recordings that figures show next to each other, with one time axis: one or two.
struct RunPair: Sendable {
  /// One recording.
  struct Run: Sendable {
    /// The name of the loader or the result.
    let title: String
    /// The name of the recording in the JSON of the page.
    let key: String
    let recording: Recording
  }

  /// The runs. The last one is the one that the page is about.
  let runs: [Run]

  /// The recordings, by their names.
  var byKey: [String: Recording] { Dictionary(runs.map { ($0.key, $0.recording) }) { first, _ in first } }

  /// The end of the common time axis, in µs.
  var duration: Int64 { max(1, runs.map(\.recording.duration).max() ?? 1) }
  /// The time up to which all recordings have spans, in µs.
  var end: Int64 { max(1, runs.map(\.recording.end).min() ?? 1) }

  /// Returns the panel that `draw` makes of each run, with the name of the run before its title.
  func panels(_ draw: (Run) -> Figure.Panel?) -> [Figure.Panel] {
    runs.compactMap { run in
      var panel = draw(run)
      let title = [runs.count > 1 ? run.title : nil, panel?.title].compactMap(\.self)
      panel?.title = title.isEmpty ? nil : title.joined(separator: " – ")
      return panel
    }
  }

  /// Returns the part of the list, in px, that any of the runs needs in `window`.
  func reach(in window: Range<Int64>) -> ClosedRange<Double> {
    let all = runs.map { $0.recording.reach(in: window) }
    return (all.map(\.lowerBound).min() ?? 0)...(all.map(\.upperBound).max() ?? 1)
  }

  /// A note about recordings that end before their run; nil if none does.
  var cutNote: String? {
    guard let run = runs.first(where: { $0.recording.isCutShort })?.recording else { return nil }
    return "The charts of rows and transfers show the first \(Quantity.decimal(end.seconds, places: 0)) s of "
      + "\(Quantity.decimal(run.duration.seconds, places: 0)) s: "
      + (run.isFull
        ? "a recording holds \(Quantity.grouped(Double(Recording.spanLimit))) spans. "
        : "a recording ends when the screen rotates. ") + "The metrics cover the complete run."
  }
}
