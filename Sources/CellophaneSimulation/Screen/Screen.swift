internal import Cellophane
internal import CellophaneScreens

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
  private var hasPreview: [Bool] = []
  private var isLoading: [Bool] = []
  /// How the screen is held: the number of the posture, the slots that stand for its rows, and the first of them. Slots
  /// of earlier postures are not used again.
  private var posture = 0
  private var scroll: ScrollReader
  private var bindings: RowBindings
  private var firstSlot = 0
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
    bindings = RowBindings(count: 0)
    scroll = plan.postures[0].reader
  }

  /// Plays the plan once; returns the vsync at which the last frame leaves the screen.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task is cancelled.
  func play() async throws(LoadError) -> Int {
    hold(0)
    prefetcher = loader.makePrefetcher()

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
      let (course, cells) = draw(at: due)
      if index % plan.framesPerMemorySample == 0, let bytes = residentMemory() {
        observers.note(.resident(bytes))
      }
      // A frame is on time when it is ready by the vsync after the one that asked for it.
      let spent = timeline.now - start - due
      let missed = spent > interval ? max(0, Int((spent / interval).rounded(.up)) - 1) : 0
      observers.note(
        .drawn(
          ScreenFrame(
            vsync: index + missed, offset: course.offset, velocity: course.velocity, late: missed,
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
      guard let row, isLoading[firstSlot + slot] else { return nil }
      return (firstSlot + slot, row)
    }
  }

  /// Takes every cell and the prefetcher down.
  func end() {
    for cell in cells { cell.end(isolation: self) }
    cells = []
    prefetcher?.show([], visible: [], isolation: self)
    prefetcher = nil
  }

  /// Holds the screen anew: cells for its rows, in place of those before.
  private func hold(_ posture: Int) {
    for cell in cells.dropFirst(firstSlot) { cell.leave(isolation: self) }
    // The same rows mean pictures of another size.
    prefetcher?.show([], visible: [], isolation: self)
    self.posture = posture
    scroll = plan.postures[posture].reader
    firstSlot = cells.count
    let count = plan.postures[posture].layout.slots
    bindings = RowBindings(count: count)
    contents += Array(repeating: nil, count: count)
    hasPreview += Array(repeating: false, count: count)
    isLoading += Array(repeating: false, count: count)
    priorities += Array(repeating: .visible, count: count)
    for slot in firstSlot..<firstSlot + count {
      cells.append(loader.makeCell { state in self.display(state, in: slot) })
    }
  }

  private func draw(at time: Duration) -> (course: ScrollCourse, cells: [ScreenFrame.Cell]) {
    while posture + 1 < plan.postures.count, plan.postures[posture + 1].start <= time { hold(posture + 1) }
    let posture = plan.postures[posture]
    let course = scroll.course(at: time)
    let visible = posture.layout.visibleRows(at: course.offset)
    let motion = posture.motion(course, last: direction)
    direction = motion.direction
    for change in bindings.show(visible) {
      let slot = firstSlot + change.slot
      observers.note(.bound(slot: slot, row: change.row))
      ask(for: change.row, in: slot, as: priority(of: change.row, in: motion))
    }
    lookAhead(motion)
    let cells = visible.compactMap { row -> ScreenFrame.Cell? in
      let area = posture.layout.visibleArea(of: row, at: course.offset)
      guard area > 0, let slot = slot(of: row) else { return nil }
      return ScreenFrame.Cell(
        row: row, slot: slot, area: area, shown: contents[slot], hasPreview: hasPreview[slot])
    }
    return (course, cells)
  }

  private func slot(of row: Int) -> Int? { bindings.slot(of: row).map { firstSlot + $0 } }

  private func priority(of row: Int, in motion: ListMotion) -> Priority {
    prefetcher?.priority(ofVisible: row, in: motion) ?? .visible
  }

  private func ask(for row: Int, in slot: Int, as priority: Priority) {
    guard let request = plan.request(of: row, in: plan.postures[posture]) else { return }
    priorities[slot] = priority
    cells[slot].show(request.with(priority: priority), isolation: self)
  }

  /// Tells the prefetcher how the list moves, and slots that wait when that changes how urgent they are.
  private func lookAhead(_ motion: ListMotion) {
    guard let prefetcher else { return }
    for row in motion.visible {
      guard let slot = slot(of: row), isLoading[slot] else { continue }
      let priority = priority(of: row, in: motion)
      if priority != priorities[slot] { ask(for: row, in: slot, as: priority) }
    }
    let posture = plan.postures[posture]
    prefetcher.follow(motion, isolation: self) { plan.request(of: $0, in: posture) }
  }

  private func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    switch state {
    case .empty, .shown, .failed: isLoading[slot] = false
    case .loading, .preview: isLoading[slot] = true
    }
    if case .preview = state { hasPreview[slot] = true } else { hasPreview[slot] = false }
    contents[slot] = hasPreview[slot] ? nil : state.value
    // A slot of an earlier posture stands for nothing any more.
    let row = slot < firstSlot ? nil : bindings.rows[slot - firstSlot]
    observers.note(.displayed(slot: slot, row: row, state))
  }
}
