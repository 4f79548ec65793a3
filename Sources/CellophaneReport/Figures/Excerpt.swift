/// A part of a run that figures show in detail.
struct Excerpt: Sendable, Hashable {
  /// The letter that marks the excerpt in figures.
  let letter: String
  let title: String
  /// The time range, in µs.
  let window: Range<Int64>

  /// Returns the start of the runs, and the later part in which the last run has the largest blank area. Each is as
  /// long as a diagram can show with distinguishable rows, at most 30 s.
  static func all(of pair: RunPair) -> [Excerpt] {
    guard let run = pair.runs.last, run.recording.end > 0 else { return [] }
    let recording = run.recording
    func isLegible(_ window: Range<Int64>) -> Bool {
      SpaceTimeDiagram(run, of: pair, window: window, in: SpaceTimeFigure.box).rowHeight
        >= SpaceTimeDiagram.detailedHeight
    }
    let first =
      lengths.lazy.map { 0..<min($0, pair.end) }.first(where: isLegible) ?? 0..<min(1_000_000, pair.end)
    var excerpts = [Excerpt(letter: "A", title: "The first \(text(first)) in detail", window: first)]
    let worst = lengths.lazy.compactMap {
      recording.blankest(lasting: $0, from: first.upperBound, to: pair.end)
    }
    .first { isLegible($0.window) }
    if let worst, worst.blank > 0 {
      excerpts.append(
        Excerpt(
          letter: "B",
          title:
            "The \(text(worst.window)) from \(worst.window.lowerBound.secondsText) on, with the largest blank area of \(run.title)",
          window: worst.window))
    }
    return excerpts
  }

  /// The lengths to try, in µs, the longest first.
  private static let lengths: [Int64] = [30, 20, 10, 6, 4, 3, 2, 1].map { $0 * 1_000_000 }

  private static func text(_ window: Range<Int64>) -> String {
    Quantity.short((window.upperBound - window.lowerBound).seconds) + " s"
  }
}

extension Recording {
  /// Returns the window of `length` between `start` and `end` with the largest blank area, or nil if they are too
  /// close.
  fileprivate func blankest(
    lasting length: Int64, from start: Int64, to end: Int64
  ) -> (window: Range<Int64>, blank: Double)? {
    let count = Int(length / series.step)
    let first = Int((start + series.step - 1) / series.step)
    let last = min(series.samples.count, Int(end / series.step))
    guard count > 0, first + count <= last else { return nil }
    var blank = series.samples[first..<first + count].reduce(0) { $0 + $1.blank }
    var best = (at: first, blank: blank)
    for index in first + 1..<max(first + 1, last - count + 1) {
      blank += series.samples[index + count - 1].blank - series.samples[index - 1].blank
      if blank > best.blank { best = (index, blank) }
    }
    let lower = Int64(best.at) * series.step
    return (lower..<lower + length, best.blank)
  }
}
