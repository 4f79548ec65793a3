internal import Cellophane

/// Records the content of the screen.
struct ScreenRecorder {
  private(set) var appearances: [Recording.Appearance] = []
  private(set) var series = Recording.Series()
  /// The size of the memory cache, in bytes.
  var cached: Int?
  private let scene: RecordedScene
  private var contents = SlotContents()
  /// The slot of each visible row, and the index of its appearance; nil for an appearance that is not kept.
  private var open: [Int: (slot: Int, span: Int?)] = [:]
  /// The slots that were bound to a row since the last frame.
  private var bound: Set<Int> = []
  /// The time up to which the current frame has been counted.
  private var counted: Int64 = 0
  /// The current frame: its time, its offset, and its areas without images and in total.
  private var last: (time: Int64, offset: Double, blank: Double, area: Double)?

  init(_ scene: RecordedScene) { self.scene = scene }

  mutating func bind(_ slot: Int) {
    contents.bind(slot)
    bound.insert(slot)
  }

  mutating func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    contents.display(state, in: slot)
  }

  mutating func draw(_ frame: ScreenFrame, inFlight: Int, isKept: Bool) {
    let time = scene.time(ofVsync: frame.vsync)
    sample(frame, at: time, inFlight: inFlight)
    count(until: time)
    // A row in another slot, or in a slot that was bound again, appears again: the screen was rotated.
    let gone = open.filter { row, one in
      bound.contains(one.slot) || !frame.cells.contains { $0.row == row && $0.slot == one.slot }
    }.keys
    for row in gone { close(row, at: time) }
    bound.removeAll(keepingCapacity: true)
    counted = time
    var sums = (time: time, offset: frame.offset, blank: 0.0, area: 0.0)
    for cell in frame.cells {
      let content = contents[cell.slot]
      sums.area += cell.area
      if content != .picture { sums.blank += cell.area }
      if open[cell.row] == nil {
        open[cell.row] = (cell.slot, isKept ? appearances.count : nil)
        if isKept { begin(cell, at: time) }
      }
      guard let number = open[cell.row]?.span else { continue }
      if content == .preview, appearances[number].preview == nil { appearances[number].preview = time }
      if content == .picture, appearances[number].shown == nil { appearances[number].shown = time }
    }
    last = sums
  }

  mutating func finish(at time: Int64) {
    count(until: time)
    series.roundAreas()
    for row in open.keys { close(row, at: time) }
  }

  private mutating func begin(_ cell: ScreenFrame.Cell, at time: Int64) {
    appearances.append(
      Recording.Appearance(
        row: cell.row, slot: cell.slot, bounds: scene.bounds(of: cell.row), start: time, end: time,
        preview: nil,
        shown: nil))
  }

  private mutating func close(_ row: Int, at time: Int64) {
    if let number = open.removeValue(forKey: row)?.span { appearances[number].end = time }
  }

  /// Adds the area of the current frame, up to `time`, to the last step.
  private mutating func count(until time: Int64) {
    guard let last else { return }
    let seconds = Double(time - counted) / 1e6
    series.add(blank: last.blank * seconds, area: last.area * seconds)
    counted = time
  }

  /// Adds the steps that start by `time`. Their offsets are interpolated between the last frame and this one.
  private mutating func sample(_ frame: ScreenFrame, at time: Int64, inFlight: Int) {
    while true {
      let start = Int64(series.samples.count) * series.step
      guard start <= time else { break }
      count(until: start)
      var offset = frame.offset
      if let last, last.time < time {
        offset -= (frame.offset - last.offset) * Double(time - start) / Double(time - last.time)
      }
      var sample = Recording.Series.Sample(offset: offset.tenths, velocity: frame.velocity.tenths)
      sample.inFlight = inFlight
      sample.memory = cached
      series.append(sample)
    }
    series.note(inFlight: inFlight, memory: cached)
  }
}

extension Double {
  /// The value, rounded to a tenth: precise enough for figures, and short as text.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
