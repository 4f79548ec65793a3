internal import Cellophane

/// A screen with a list on it: at every vsync it scrolls, gives slots to the rows that came in and writes down
/// what each visible row shows. Its own actor stands for the main thread of an app.
actor Screen {
  private let plan: ScreenPlan
  private let loader: any ListLoader
  private let timeline: Timeline
  private let log: EventLog?
  private let residentMemory: @Sendable () -> Int?
  private nonisolated let executor: any SerialExecutor

  /// The executor that stands for the main thread.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var cells: [any PictureCell] = []
  /// What each slot shows.
  private var contents: [PictureIdentity?] = []
  private var isLoading: [Bool] = []
  private var bindings: SlotBindings
  private var prefetcher: (any RowPrefetcher)?
  private var ahead: Range<Int>?
  private var record = ScreenRecord()

  /// A screen that plays `plan` through `loader`.
  ///
  /// - Parameters:
  ///   - executor: Stands for the main thread.
  ///   - log: Notes what happens on the screen.
  ///   - residentMemory: The memory that the process has in RAM, if that is of interest.
  init(
    _ plan: ScreenPlan, loader: any ListLoader, timeline: Timeline, executor: any SerialExecutor,
    log: EventLog? = nil, residentMemory: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.executor = executor
    self.log = log
    self.residentMemory = residentMemory
    self.plan = plan
    self.loader = loader
    self.timeline = timeline
    bindings = SlotBindings(count: plan.layout.slots)
  }

  /// Plays the plan once and returns what was on the screen.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task is cancelled.
  func play() async throws(LoadError) -> ScreenRecord {
    contents = Array(repeating: nil, count: plan.layout.slots)
    isLoading = Array(repeating: false, count: plan.layout.slots)
    cells = contents.indices.map { slot in
      loader.makeCell { state in self.display(state, in: slot) }
    }
    prefetcher = loader.makePrefetcher()

    let start = timeline.now
    var index = 0
    while index < plan.frames {
      let due = plan.time(ofFrame: index)
      let early = due - (timeline.now - start)
      if early > .zero {
        do { try await timeline.sleep(for: early) } catch { throw .cancelled }
      }
      let cells = draw(at: due)
      if index % plan.framesPerMemorySample == 0 { sampleMemory() }
      // A frame is on time when it is ready by the vsync after the one that asked for it.
      let spent = (timeline.now - start - due) / plan.interval
      let missed = max(0, Int(spent.rounded(.up)) - 1)
      record.frames.append(
        ScreenRecord.Frame(
          time: plan.time(ofFrame: index + missed), velocity: plan.trajectory.velocity(at: due),
          late: plan.interval * missed, cells: cells))
      if let log { note(cells, missed: missed, in: log) }
      index += 1 + missed
    }
    record.end = plan.time(ofFrame: index)
    // The last frame is on the screen until then, and what it asked for counts.
    let rest = record.end - (timeline.now - start)
    if rest > .zero {
      do { try await timeline.sleep(for: rest) } catch { throw .cancelled }
    }
    return record
  }

  /// The rows whose slots wait for a picture, by slot.
  var waitingRows: [(slot: Int, row: Int)] {
    bindings.rows.enumerated().compactMap { slot, row in
      guard let row, isLoading[slot] else { return nil }
      return (slot, row)
    }
  }

  /// Takes every cell and the prefetcher down.
  func end() {
    for cell in cells { cell.end(isolation: self) }
    cells = []
    prefetcher?.show([], isolation: self)
    prefetcher = nil
  }

  private func draw(at time: Duration) -> [ScreenRecord.Cell] {
    let offset = plan.trajectory.offset(at: time)
    let visible = plan.layout.visibleRows(at: offset)
    for change in bindings.show(visible) {
      record.bindings += 1
      log?.note(.bound, UInt64(change.slot), UInt64(change.row))
      if isLoading[change.slot] { record.superseded += 1 }
      cells[change.slot].show(plan.requests[change.row], isolation: self)
    }
    lookAhead(of: visible, velocity: plan.trajectory.velocity(at: time))
    return visible.compactMap { row in
      let area = plan.layout.visibleArea(of: row, at: offset)
      guard area > 0, let slot = bindings.slot(of: row) else { return nil }
      return ScreenRecord.Cell(row: row, area: area, shown: contents[slot])
    }
  }

  private func sampleMemory() {
    guard let bytes = residentMemory() else { return }
    record.peakResidentBytes = max(record.peakResidentBytes ?? 0, bytes)
  }

  private func lookAhead(of visible: Range<Int>, velocity: Double) {
    guard let prefetcher, visible != ahead else { return }
    ahead = visible
    prefetcher.show(plan.ahead(of: visible, velocity: velocity), isolation: self)
  }

  private func note(_ cells: [ScreenRecord.Cell], missed: Int, in log: EventLog) {
    log.note(.frame, UInt64(cells.count), UInt64(missed))
    for cell in cells { log.note(.cell, UInt64(cell.row), cell.area.bitPattern, cell.shown?.number ?? .max) }
  }

  private func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    isLoading[slot] = false
    switch state {
    case .empty: break
    case .loading, .preview: isLoading[slot] = true
    case .shown(let identity, let source):
      record.shown[source, default: 0] += 1
      log?.note(.shown, UInt64(slot), identity.number, EventLog.hash(source.rawValue))
    case .failed(let error):
      record.failures += 1
      log?.note(.failed, UInt64(slot), EventLog.hash(error.kind.rawValue))
    }
    contents[slot] = state.value
    if let identity = contents[slot], let row = bindings.rows[slot] {
      record.displays.append(ScreenRecord.Display(row: row, identity: identity))
    }
  }
}
