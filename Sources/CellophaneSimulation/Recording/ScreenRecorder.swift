internal import Cellophane

/// Records what is on the screen.
struct ScreenRecorder {
  private(set) var appearances: [Recording.Appearance] = []
  private(set) var series = Recording.Series()
  /// What the memory cache holds, in bytes.
  var cached: Int?
  private let scene: RecordedScene
  private var contents = SlotContents()
  /// The slot of each row that is on the screen, and the number of its appearance; nil of one that is not kept.
  private var open: [Int: (slot: Int, span: Int?)] = [:]
  /// The slots that came to stand for a row since the last frame.
  private var bound: Set<Int> = []
  /// Until when the frame on the screen has been counted.
  private var counted: Int64 = 0
  /// The frame on the screen: since when, where, and its area with and without pictures.
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
    // In another slot, or in one that was given anew, it appears anew: the screen was turned.
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
        row: cell.row, slot: cell.slot, place: scene.place(of: cell.row), start: time, end: time,
        preview: nil,
        shown: nil))
  }

  private mutating func close(_ row: Int, at time: Int64) {
    if let number = open.removeValue(forKey: row)?.span { appearances[number].end = time }
  }

  /// Counts the area of the frame that was on the screen until `time` towards the last step.
  private mutating func count(until time: Int64) {
    guard let last else { return }
    let seconds = Double(time - counted) / 1e6
    series.add(blank: last.blank * seconds, area: last.area * seconds)
    counted = time
  }

  /// Begins the steps that begin until `time`, each with the offset on the line from the last frame to this.
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
  /// Rounded to a tenth: what a drawing can show, and short as text.
  fileprivate var tenths: Double { (self * 10).rounded() / 10 }
}
