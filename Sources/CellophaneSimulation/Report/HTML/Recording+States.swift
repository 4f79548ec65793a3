/// What the place of a row's picture shows.
enum RowState: String, Sendable, Hashable, CaseIterable {
  case blank, preview, shown

  /// The class of what is drawn in its colour.
  var style: String { rawValue }
}

extension Recording.Appearance {
  /// What the row showed, one after the other. Nothing that took no time.
  var states: [(state: RowState, start: Int64, end: Int64)] {
    let shown = min(shown ?? end, end)
    let preview = min(preview ?? shown, shown)
    return [(.blank, start, preview), (.preview, preview, shown), (.shown, shown, end)].filter { $0.1 < $0.2 }
  }

  /// What it was, in words.
  var sentence: String {
    var sentence = "row \(row), on the screen from \(start.secondsText) to \(end.secondsText): "
    guard let shown else { return sentence + "its picture did not come in time" }
    sentence +=
      shown == start ? "its picture was there at once" : "blank for \((shown - start).millisecondsText)"
    if let preview, preview < shown {
      sentence += ", of which \((shown - preview).millisecondsText) with a preview"
    }
    return sentence
  }
}

extension Recording.Transfer {
  /// What it was, in words.
  var sentence: String {
    let what = "row \(row), \(Quantity.bytes(Double(bytes))) in \((end - start).millisecondsText)"
    let wait = firstByte.map { ", the first byte after \(($0 - start).millisecondsText)" } ?? ""
    let way = connection.map { ", connection \($0)" } ?? ""
    return what + wait + way + ", \(outcome.words)"
      + (isRepeated ? "; fetched before" : "")
  }
}

extension Recording.Transfer.Outcome {
  /// The class of what is drawn for it.
  var style: String {
    switch self {
    case .completed, .running: "fetch"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  var words: String {
    switch self {
    case .completed: "whole"
    case .running: "still running"
    case .cancelled: "given up"
    case .failed: "failed"
    }
  }
}

extension Recording {
  /// Whether a row showed anything of a picture that was not whole.
  var hasPreviews: Bool { appearances.contains { $0.preview != nil } }

  /// The colours of what rows showed.
  var statesShown: [(swatch: String, meaning: String)] {
    [("shown", "its picture")] + (hasPreviews ? [("preview", "a preview of it")] : []) + [("blank", "blank")]
  }

  /// How far the list reaches, in px, that was on the screen or fetched in `window`; what was fetched more than a
  /// screen and a half away is left out.
  func reach(in window: Range<Int64>) -> ClosedRange<Double> {
    let height = Double(viewport[1])
    let first = Int(window.lowerBound / series.step)
    let last = min(Int(window.upperBound / series.step) + 1, series.samples.count - 1)
    let edges = [window.lowerBound, window.upperBound].map { series.offset(at: $0) }
    let offsets = edges + (first <= last ? series.samples[first...last].map(\.offset) : [])
    let top = offsets.min() ?? 0
    let bottom = (offsets.max() ?? 0) + height
    let fetched = transfers.lazy.filter { $0.start < window.upperBound && $0.end > window.lowerBound }.map(
      \.place)
    let near = fetched.filter {
      Double($0.top) > top - 1.5 * height && Double($0.top) < bottom + 1.5 * height
    }
    let highest = near.map { Double($0.top) }.min() ?? top
    let lowest = near.map { Double($0.top + $0.height) }.max() ?? bottom
    return min(top, highest)...max(bottom, lowest)
  }
}

extension Int64 {
  /// µs as seconds.
  var seconds: Double { Double(self) / 1e6 }

  /// µs as `1.23 s`.
  var secondsText: String { Quantity.decimal(seconds, places: 2) + " s" }

  /// µs as `180 ms`.
  var millisecondsText: String { Quantity.milliseconds(Double(self) / 1_000) }
}
