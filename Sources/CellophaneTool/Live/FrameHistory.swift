internal import CellophaneResults

/// Frames of a run at about equal intervals, for a view that shows them beside another run at the same times.
struct FrameHistory {
  /// A frame with the blank share up to its time.
  struct Entry {
    let frame: LiveFrame
    let blankSoFar: Double
  }

  private var entries: [Entry] = []
  /// The minimum interval of two frames: that of the screens of the view.
  private var interval = Duration.milliseconds(62)
  private var sum = (blank: 0.0, area: 0.0)

  /// The maximum number of frames. 4096: four minutes without loss, and a few MB.
  static let limit = 4_096

  /// Adds the next frame of the run.
  mutating func add(_ frame: LiveFrame) {
    sum.blank += frame.blank
    sum.area += frame.area
    if let last = entries.last, frame.time - last.frame.time < interval { return }
    entries.append(Entry(frame: frame, blankSoFar: sum.area > 0 ? sum.blank / sum.area : 0))
    guard entries.count > Self.limit else { return }
    // A longer run has longer intervals.
    interval *= 2
    entries = stride(from: 0, to: entries.count, by: 2).map { entries[$0] }
  }

  /// Returns the last frame up to `time`; nil if the run has not reached this time.
  func entry(at time: Duration) -> Entry? {
    guard let last = entries.last, last.frame.time + interval * 2 >= time else { return nil }
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].frame.time <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? entries[low - 1] : nil
  }
}
