/// The content of a row's image area.
enum RowState: String, Sendable, Hashable, CaseIterable {
  case blank, preview, shown

  /// The CSS class of the state.
  var style: String { rawValue }
}

extension Recording.Appearance {
  /// The states of the row in the order of time, without empty ones.
  var states: [(state: RowState, start: Int64, end: Int64)] {
    let shown = min(shown ?? end, end)
    let preview = min(preview ?? shown, shown)
    return [(.blank, start, preview), (.preview, preview, shown), (.shown, shown, end)].filter { $0.1 < $0.2 }
  }

  /// The tooltip of the appearance.
  var sentence: String {
    var sentence = "row \(row), on the screen from \(start.secondsText) to \(end.secondsText): "
    guard let shown else { return sentence + "left before its image arrived" }
    sentence +=
      shown == start ? "image in the first frame" : "image after \((shown - start).millisecondsText)"
    if let preview, preview < shown {
      sentence += ", preview after \((preview - start).millisecondsText)"
    }
    return sentence
  }
}

extension Recording.Transfer {
  /// The tooltip of the transfer.
  var sentence: String {
    let body = "row \(row), \(Quantity.bytes(Double(bytes))) in \((end - start).millisecondsText)"
    let wait = firstByte.map { ", first byte after \(($0 - start).millisecondsText)" } ?? ""
    let path = connection.map { ", connection \($0)" } ?? ""
    return body + wait + path + ", \(outcome.words)"
      + (isRepeated ? "; downloaded before" : "")
  }
}

extension Recording.Transfer.Outcome {
  /// The CSS class of a transfer with this outcome.
  var style: String {
    switch self {
    case .completed, .running: "fetch"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// The outcome in tooltips and tables.
  var words: String {
    switch self {
    case .completed: "completed"
    case .running: "still running"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

extension Recording {
  /// The legend of the row states.
  var statesShown: [(swatch: String, meaning: String)] {
    [("shown", "image")] + (hasPreviews ? [("preview", "preview")] : []) + [("blank", "blank")]
  }

  /// Returns the part of the list, in px, that was on the screen or fetched in `window`. Rows fetched at a
  /// distance of more than one and a half screens do not count.
  func reach(in window: Range<Int64>) -> ClosedRange<Double> {
    let height = Double(viewport[1])
    let first = Int(window.lowerBound / series.step)
    let last = min(Int(window.upperBound / series.step) + 1, series.samples.count - 1)
    let edges = [window.lowerBound, window.upperBound].map { series.offset(at: $0) }
    let offsets = edges + (first <= last ? series.samples[first...last].map(\.offset) : [])
    let top = offsets.min() ?? 0
    let bottom = (offsets.max() ?? 0) + height
    let fetched = transfers.lazy.filter { $0.start < window.upperBound && $0.end > window.lowerBound }.map(
      \.bounds)
    let near = fetched.filter {
      Double($0.top) > top - 1.5 * height && Double($0.top) < bottom + 1.5 * height
    }
    let highest = near.map { Double($0.top) }.min() ?? top
    let lowest = near.map { Double($0.top + $0.height) }.max() ?? bottom
    return min(top, highest)...max(bottom, lowest)
  }
}

extension Int64 {
  /// The time in seconds, from µs.
  var seconds: Double { Double(self) / 1e6 }

  /// The time as `1.23 s`, from µs.
  var secondsText: String { Quantity.decimal(seconds, places: 2) + " s" }

  /// The time as `180 ms`, from µs.
  var millisecondsText: String { Quantity.milliseconds(Double(self) / 1_000) }
}
