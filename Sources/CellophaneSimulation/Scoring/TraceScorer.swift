internal import Cellophane
internal import CellophaneResults

/// Measures the run of a trace: draws the frames of its scenario with the slots as the trace left them.
struct TraceScorer {
  /// The row and the content of a slot.
  private struct Cell {
    var row: Int
    var shown: PictureIdentity?
    var hasPreview = false
  }

  private let trace: RunTrace
  private let plan: ScreenPlan
  private let urls: [String]
  private let numbers: [Int]
  private let observers: [any RunObserver]
  private let drawsFrames: Bool
  private var walk: OrientationWalk
  private var orientationIndex = 0
  private var cells: [Int: Cell] = [:]
  /// The slot of each row.
  private var slots: [Int: Int] = [:]
  /// The vsync of the next frame.
  private var vsync = 0

  /// Creates a scorer that reports to `observers`.
  ///
  /// - Parameters:
  ///   - urls: The URLs of the rows.
  ///   - numbers: The numbers of their images.
  init(
    _ trace: RunTrace, _ orientations: [ScreenOrientation], urls: [String], numbers: [Int],
    observers: [any RunObserver]
  ) {
    self.trace = trace
    self.urls = urls
    self.numbers = numbers
    self.observers = observers
    plan = ScreenPlan(
      orientations: orientations, requests: ([], []), refreshRate: trace.configuration.viewport.refreshRate,
      duration: trace.configuration.duration)
    walk = OrientationWalk(orientations)
    // Without frames of its own, a trace shows at each vsync what it reported up to then.
    drawsFrames = trace.events.contains { $0.kind == .draw }
  }

  /// Reports all events and frames to the observers; returns the vsync at which the last frame ends.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if a visible row has no slot.
  mutating func play() throws(LoadError) -> Int {
    for (index, event) in trace.events.enumerated() {
      // The first line of a trace is its header.
      let line = index + 2
      if !drawsFrames {
        while vsync < plan.frames, plan.time(ofFrame: vsync) < event.time { try draw(line: line) }
      }
      rotate(at: event.time)
      if event.kind == .draw {
        vsync = event.vsync ?? 0
        try draw(at: event.time, late: event.late ?? 0, line: line)
      } else if let reported = self.event(event) {
        note(reported, at: event.time)
      }
    }
    let line = trace.events.count + 1
    if !drawsFrames { while vsync < plan.frames { try draw(line: line) } }
    return max(vsync, plan.frames)
  }

  private func note(_ event: RunEvent, at time: Duration) {
    for observer in observers { observer.note(event, at: time) }
  }

  /// Releases all slots when the screen rotates: it has other ones then.
  private mutating func rotate(at time: Duration) {
    // A trace has whole nanoseconds, and the time of a frame may have a fraction of one.
    while orientationIndex + 1 < plan.orientations.count,
      rotation(to: orientationIndex + 1).wholeNanoseconds <= time.wholeNanoseconds
    {
      orientationIndex += 1
      slots = [:]
    }
  }

  /// Returns the time of the first frame in orientation `index`.
  private func rotation(to index: Int) -> Duration {
    let start = plan.orientations[index].start
    // One frame early at most, if the product is rounded.
    var frame = max(0, Int(start.seconds * Double(plan.refreshRate)) - 1)
    while plan.time(ofFrame: frame) < start { frame += 1 }
    return plan.time(ofFrame: frame)
  }

  private mutating func draw(line: Int) throws(LoadError) {
    rotate(at: plan.time(ofFrame: vsync))
    try draw(at: plan.time(ofFrame: vsync), late: 0, line: line)
  }

  /// Draws the frame of ``vsync``.
  private mutating func draw(at time: Duration, late: Int, line: Int) throws(LoadError) {
    let state = walk.state(at: plan.time(ofFrame: vsync))
    let layout = walk.orientation.layout
    var cells: [ScreenFrame.Cell] = []
    for row in layout.visibleRows(at: state.offset) {
      let area = layout.visibleArea(of: row, at: state.offset)
      guard area > 0 else { continue }
      guard let slot = slots[row], let cell = self.cells[slot] else {
        throw LoadError(
          .corrupt,
          "line \(line): row \(row) is visible at vsync \(vsync), and no slot is bound to it; bind it before, or write "
            + "a draw line when the frame is drawn")
      }
      cells.append(
        ScreenFrame.Cell(row: row, slot: slot, area: area, shown: cell.shown, hasPreview: cell.hasPreview))
    }
    note(
      .drawn(
        ScreenFrame(
          vsync: vsync + late, offset: state.offset, velocity: state.velocity, late: late, cells: cells)),
      at: time)
    vsync += 1 + late
  }

  /// Returns `event` as the event of a run, and updates the slots.
  private mutating func event(_ event: RunTraceEvent) -> RunEvent? {
    let (slot, row, number, bytes) = (event.slot ?? 0, event.row, event.number ?? 0, event.bytes ?? 0)
    switch event.kind {
    case .bind, .keep:
      guard let row else { return nil }
      let before = cells[slot]
      if let before, slots[before.row] == slot { slots[before.row] = nil }
      slots[row] = slot
      cells[slot] = Cell(row: row)
      note(.bound(slot: slot, row: row), at: event.time)
      if event.kind == .bind { return display(.loading(previous: nil), in: slot) }
      if let before { cells[slot] = Cell(row: row, shown: before.shown, hasPreview: before.hasPreview) }
      return nil
    case .wait: return display(.loading(previous: picture(event)), in: slot)
    case .show:
      return display(.shown(picture(event) ?? .unreadable, from: event.source ?? .network), in: slot)
    case .preview: return display(.preview(picture(event) ?? .unreadable), in: slot)
    case .fail:
      let error = LoadError(event.reason ?? .connectionLost, "the load failed")
      return display(.failed(error, previous: picture(event)), in: slot)
    case .clear: return display(.empty, in: slot)
    case .start: return row.map { .transferBegan(number, url: urls[$0]) }
    case .progress: return .transferProgressed(number, bytes: bytes)
    case .finish: return end(event, .completed(size: event.size))
    case .error: return end(event, .failed)
    case .cancel: return .transferEnded(number, .cancelled, bytes: bytes)
    case .close: return .transferClosed(number, bytes: bytes)
    case .decode: return .decodingBegan(number, of: picture(event) ?? .unreadable)
    case .decoded: return .decodingEnded(number, isComplete: true)
    case .draw, .end: return nil
    }
  }

  /// Ends a transfer for the loader; returns its end in the transport.
  private func end(_ event: RunTraceEvent, _ outcome: TransferOutcome) -> RunEvent {
    let (number, bytes) = (event.number ?? 0, event.bytes ?? 0)
    note(.transferEnded(number, outcome, bytes: bytes), at: event.time)
    return .transferClosed(number, bytes: bytes)
  }

  private mutating func display(_ state: SlotState<PictureIdentity>, in slot: Int) -> RunEvent {
    let isPreview = if case .preview = state { true } else { false }
    cells[slot]?.hasPreview = isPreview
    cells[slot]?.shown = isPreview ? nil : state.value
    return .displayed(slot: slot, row: boundRow(of: slot), state)
  }

  /// Returns the row of `slot`; nil for a slot of the screen before its rotation.
  private func boundRow(of slot: Int) -> Int? {
    guard let row = cells[slot]?.row, slots[row] == slot else { return nil }
    return row
  }

  private func picture(_ event: RunTraceEvent) -> PictureIdentity? {
    event.row.map { .row(numbers[$0], version: event.version ?? 0) }
  }
}
