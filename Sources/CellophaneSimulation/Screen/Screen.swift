internal import Cellophane

/// A screen with a list on it: at every vsync it scrolls, tells its slots how, and the observers of the run what each
/// visible row shows. Its own actor stands for the main thread of an app.
actor Screen {
  /// What a slot stands for and shows.
  private struct Cell {
    /// Nil before it stands for any, and when the screen was turned since.
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

  /// The executor that stands for the main thread.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  private var list: (any SimulatedList)?
  /// By slot.
  private var cells: [Cell] = []
  /// The number of the posture in which the screen is held.
  private var posture = 0
  private var walk: PostureWalk
  /// Which way the list moved last.
  private var direction = ListMotion.Direction.down

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
    walk = PostureWalk(plan.postures)
  }

  /// Plays the plan once; returns the vsync at which the last frame leaves the screen.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task is cancelled.
  func play() async throws(LoadError) -> Int {
    list = loader.makeList(rows: plan.rows, slots: plan.postures[0].layout.slots) { row in
      self.plan.request(of: row, in: self.walk.posture)
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
    cells.enumerated().compactMap { slot, cell in
      guard let row = cell.row, cell.isLoading else { return nil }
      return (slot, row)
    }
  }

  /// Takes the list down.
  func end() {
    list?.end(isolation: self)
    list = nil
  }

  /// Turns the screen: the same rows mean pictures of another size, for other slots.
  private func hold(_ posture: Int) {
    self.posture = posture
    for slot in cells.indices { cells[slot].row = nil }
    list?.invalidate(count: plan.postures[posture].layout.slots, isolation: self)
  }

  private func draw(at time: Duration) -> (course: ScrollCourse, cells: [ScreenFrame.Cell]) {
    let course = walk.course(at: time)
    while posture < walk.turn { hold(posture + 1) }
    let posture = walk.posture
    let visible = posture.layout.visibleRows(at: course.offset)
    let motion = posture.motion(course, last: direction)
    direction = motion.direction
    list?.scroll(motion, isolation: self)
    let cells = visible.compactMap { row -> ScreenFrame.Cell? in
      let area = posture.layout.visibleArea(of: row, at: course.offset)
      guard area > 0, let slot = list?.slot(of: row) else { return nil }
      let cell = self.cells[slot]
      return ScreenFrame.Cell(
        row: row, slot: slot, area: area, shown: cell.shown, hasPreview: cell.hasPreview)
    }
    return (course, cells)
  }

  private func bind(_ slot: Int, to row: Int) {
    while cells.count <= slot { cells.append(Cell()) }
    cells[slot].row = row
    observers.note(.bound(slot: slot, row: row))
  }

  private func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    cells[slot].isLoading = state.isLoading
    let isPreview = if case .preview = state { true } else { false }
    cells[slot].hasPreview = isPreview
    cells[slot].shown = isPreview ? nil : state.value
    observers.note(.displayed(slot: slot, row: cells[slot].row, state))
  }
}
