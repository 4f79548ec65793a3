internal import Cellophane

/// A screen with a list on it: at every vsync it scrolls, gives slots to the rows that came in and tells
/// the observers of the run what each visible row shows. Its own actor stands for the main thread of an app.
actor Screen {
  private let plan: ScreenPlan
  private let loader: any ListLoader
  private let timeline: Timeline
  private let observers: RunObservers
  private let willDraw: @Sendable () -> Void
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
  /// Which way the list moved last.
  private var direction = ListMotion.Direction.down
  /// How urgent each slot's request is.
  private var priorities: [Priority] = []

  /// A screen that plays `plan` through `loader`.
  ///
  /// - Parameters:
  ///   - executor: Stands for the main thread.
  ///   - observers: Are told what happens on the screen.
  ///   - willDraw: Called before each frame.
  ///   - residentMemory: The memory that the process has in RAM, if that is of interest.
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
    bindings = SlotBindings(count: plan.layout.slots)
  }

  /// Plays the plan once; returns the vsync at which the last frame leaves the screen.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task is cancelled.
  func play() async throws(LoadError) -> Int {
    contents = Array(repeating: nil, count: plan.layout.slots)
    isLoading = Array(repeating: false, count: plan.layout.slots)
    priorities = Array(repeating: .visible, count: plan.layout.slots)
    cells = contents.indices.map { slot in
      loader.makeCell { state in self.display(state, in: slot) }
    }
    prefetcher = loader.makePrefetcher()

    observers.begin()
    let start = timeline.now
    var index = 0
    while index < plan.frames {
      let due = plan.time(ofFrame: index)
      let early = due - (timeline.now - start)
      if early > .zero {
        do { try await timeline.sleep(for: early) } catch { throw .cancelled }
      }
      willDraw()
      let (offset, cells) = draw(at: due)
      if index % plan.framesPerMemorySample == 0, let bytes = residentMemory() {
        observers.note(.resident(bytes))
      }
      // A frame is on time when it is ready by the vsync after the one that asked for it.
      let spent = (timeline.now - start - due) / plan.interval
      let missed = max(0, Int(spent.rounded(.up)) - 1)
      observers.note(
        .drawn(
          ScreenFrame(
            vsync: index + missed, offset: offset, velocity: plan.trajectory.velocity(at: due), late: missed,
            cells: cells)))
      index += 1 + missed
    }
    // The last frame is on the screen until then, and what it asked for counts.
    let rest = plan.time(ofFrame: index) - (timeline.now - start)
    if rest > .zero {
      do { try await timeline.sleep(for: rest) } catch { throw .cancelled }
    }
    return index
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

  private func draw(at time: Duration) -> (offset: Double, cells: [ScreenFrame.Cell]) {
    let offset = plan.trajectory.offset(at: time)
    let visible = plan.layout.visibleRows(at: offset)
    let motion = plan.motion(at: time, last: direction)
    direction = motion.direction
    for change in bindings.show(visible) {
      observers.note(.bound(slot: change.slot, row: change.row))
      ask(for: change.row, in: change.slot, as: priority(of: change.row, in: motion))
    }
    lookAhead(motion)
    let cells = visible.compactMap { row -> ScreenFrame.Cell? in
      let area = plan.layout.visibleArea(of: row, at: offset)
      guard area > 0, let slot = bindings.slot(of: row) else { return nil }
      return ScreenFrame.Cell(row: row, slot: slot, area: area, shown: contents[slot])
    }
    return (offset, cells)
  }

  private func priority(of row: Int, in motion: ListMotion) -> Priority {
    prefetcher?.priority(ofVisible: row, in: motion) ?? .visible
  }

  private func ask(for row: Int, in slot: Int, as priority: Priority) {
    priorities[slot] = priority
    cells[slot].show(plan.requests[row].with(priority: priority), isolation: self)
  }

  /// Tells the prefetcher how the list moves, and slots that wait when that changes how urgent they are.
  private func lookAhead(_ motion: ListMotion) {
    guard let prefetcher else { return }
    for row in motion.visible {
      guard let slot = bindings.slot(of: row), isLoading[slot] else { continue }
      let priority = priority(of: row, in: motion)
      if priority != priorities[slot] { ask(for: row, in: slot, as: priority) }
    }
    prefetcher.follow(motion, isolation: self) { plan.request(of: $0) }
  }

  private func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    switch state {
    case .empty, .shown, .failed: isLoading[slot] = false
    case .loading, .preview: isLoading[slot] = true
    }
    contents[slot] = state.value
    observers.note(.displayed(slot: slot, row: bindings.rows[slot], state))
  }
}
