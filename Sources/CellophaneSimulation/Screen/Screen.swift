internal import Cellophane

/// A screen with a list. At each vsync it scrolls, reports the motion to the list, and reports the content of
/// the visible rows to the observers of the run. The actor represents the main thread of an app.
actor Screen {
  /// The row and the content of a slot.
  private struct Cell {
    /// Nil before the slot is bound, and after a rotation of the screen.
    var row: Int?
    var shown: PictureIdentity?
    var hasPreview = false
    var isLoading = false
  }

  private let plan: ScreenPlan
  private let loader: any ListLoader
  private let timeline: Timeline
  private let observers: RunObservers
  private let willDraw: @Sendable () -> Void
  private let residentMemory: @Sendable () -> Int?
  private nonisolated let executor: any SerialExecutor

  /// The executor of the main thread.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var list: (any SimulatedList)?
  /// The cells by slot.
  private var cells: [Cell] = []
  /// The index of the orientation in which the list is laid out.
  private var orientationIndex = 0
  private var walk: OrientationWalk
  /// The last direction of the list.
  private var direction = ListMotion.Direction.down
  /// The last frame; nil after a change of the content of a cell.
  private var last: (state: ScrollState, cells: [ScreenFrame.Cell])?

  /// Creates a screen that plays `plan` with `loader`.
  ///
  /// - Parameters:
  ///   - executor: The executor of the main thread.
  ///   - observers: The observers of the run.
  ///   - willDraw: Called before each frame.
  ///   - residentMemory: Returns the resident memory of the process; nil if it is not measured.
  init(
    _ plan: ScreenPlan, loader: any ListLoader, executor: any SerialExecutor, observers: RunObservers,
    willDraw: @escaping @Sendable () -> Void = {}, residentMemory: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.executor = executor
    self.observers = observers
    self.willDraw = willDraw
    self.residentMemory = residentMemory
    self.plan = plan
    self.loader = loader
    timeline = observers.timeline
    walk = OrientationWalk(plan.orientations)
  }

  /// Plays the plan once; returns the vsync at which the last frame ends.
  ///
  /// - Throws: ``LoadError/cancelled`` if the task is cancelled.
  func play() async throws(LoadError) -> Int {
    list = loader.makeList(rows: plan.rows, slots: plan.orientations[0].layout.slots) { row in
      self.plan.request(of: row, in: self.walk.orientation)
    } display: { slot, state in
      self.display(state, in: slot)
    } bind: { slot, row in
      self.bind(slot, to: row)
    }

    observers.begin()
    let start = timeline.now
    let interval = plan.interval
    var index = 0
    while index < plan.frames {
      let due = plan.time(ofFrame: index)
      let early = due - (timeline.now - start)
      if early > .zero {
        do { try await timeline.sleep(for: early) } catch { throw .cancelled }
      }
      willDraw()
      let (state, cells) = draw(at: due)
      if index % plan.framesPerMemorySample == 0, let bytes = residentMemory() {
        observers.note(.resident(bytes))
      }
      // A frame is on time if it is ready by the vsync after the one that started it.
      let spent = timeline.now - start - due
      let missed = spent > interval ? max(0, Int((spent / interval).rounded(.up)) - 1) : 0
      observers.note(
        .drawn(
          ScreenFrame(
            vsync: index + missed, offset: state.offset, velocity: state.velocity, late: missed,
            cells: cells)))
      index += 1 + missed
    }
    // The last frame stays on the screen until then, and its requests count.
    let rest = plan.time(ofFrame: index) - (timeline.now - start)
    if rest > .zero {
      do { try await timeline.sleep(for: rest) } catch { throw .cancelled }
    }
    return index
  }

  /// The rows whose slots wait for an image, by slot.
  var waitingRows: [(slot: Int, row: Int)] {
    cells.enumerated().compactMap { slot, cell in
      guard let row = cell.row, cell.isLoading else { return nil }
      return (slot, row)
    }
  }

  /// Ends the list.
  func end() {
    list?.end(isolation: self)
    list = nil
  }

  /// Rotates the screen. The rows have images of another size then, in other slots.
  private func rotate(to index: Int) {
    orientationIndex = index
    for slot in cells.indices { cells[slot].row = nil }
    list?.invalidate(count: plan.orientations[index].layout.slots, isolation: self)
  }

  private func draw(at time: Duration) -> (state: ScrollState, cells: [ScreenFrame.Cell]) {
    let state = walk.state(at: time)
    // An app reports only changes of the motion to its list.
    if let last, orientationIndex == walk.index, last.state.isAtRest(with: state) {
      return (state, last.cells)
    }
    while orientationIndex < walk.index { rotate(to: orientationIndex + 1) }
    let orientation = walk.orientation
    let visible = orientation.layout.visibleRows(at: state.offset)
    let motion = orientation.motion(state, last: direction)
    direction = motion.direction
    list?.scroll(motion, isolation: self)
    let cells = visible.compactMap { row -> ScreenFrame.Cell? in
      let area = orientation.layout.visibleArea(of: row, at: state.offset)
      guard area > 0, let slot = list?.slot(of: row) else { return nil }
      let cell = self.cells[slot]
      return ScreenFrame.Cell(
        row: row, slot: slot, area: area, shown: cell.shown, hasPreview: cell.hasPreview)
    }
    last = (state, cells)
    return (state, cells)
  }

  private func bind(_ slot: Int, to row: Int) {
    last = nil
    while cells.count <= slot { cells.append(Cell()) }
    cells[slot].row = row
    observers.note(.bound(slot: slot, row: row))
  }

  private func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    last = nil
    cells[slot].isLoading = state.isLoading
    let isPreview = if case .preview = state { true } else { false }
    cells[slot].hasPreview = isPreview
    cells[slot].shown = isPreview ? nil : state.value
    observers.note(.displayed(slot: slot, row: cells[slot].row, state))
  }
}
