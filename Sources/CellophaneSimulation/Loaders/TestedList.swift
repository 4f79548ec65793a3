internal import Cellophane
internal import CellophaneScreens

/// The list of an app with a ``TestedLoader``.
struct TestedList: ListLoader {
  let loader: TestedLoader
  let transport: any Transport
  let decoder: any RowDecoder
  let timeline: Timeline
  let caches: SimulationConfiguration.Cache
  /// The times of memory warnings.
  let warnings: [Duration]

  func makeList(
    rows: Int, slots: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList {
    let context = LoaderContext(
      transport: transport, timeline: timeline, caches: caches, requestOfRow: request, display: display,
      decoder: decoder)
    return TestedSlots(loader.make(context), context, count: slots, warnings: warnings, bind: bind)
  }
}

private final class TestedSlots: SimulatedList {
  private let loader: any RowLoader
  private let context: LoaderContext
  private let bind: (_ slot: Int, _ row: Int) -> Void
  private var bindings: RowBindings
  /// The number of slots that ``invalidate(count:isolation:)`` has replaced. They are not used again.
  private var retiredSlots = 0
  /// The slots that are bound to a row.
  private var bound: Set<Int> = []
  /// The times of memory warnings that are not scheduled yet.
  private var warnings: [Duration]
  private var scheduled: [Task<Void, Never>] = []

  init(
    _ loader: any RowLoader, _ context: LoaderContext, count: Int, warnings: [Duration],
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) {
    self.loader = loader
    self.context = context
    self.warnings = warnings
    self.bind = bind
    bindings = RowBindings(count: count)
  }

  func slot(of row: Int) -> Int? { bindings.slot(of: row).map { retiredSlots + $0 } }

  func scroll(_ motion: ListMotion, isolation: isolated any Actor) {
    scheduleWarnings(isolation: isolation)
    for change in bindings.show(motion.visible) {
      let slot = retiredSlots + change.slot
      if bound.remove(slot) != nil { loader.unbind(slot, isolation: isolation) }
      bind(slot, change.row)
      guard context.request(of: change.row) != nil else { continue }
      context.display(slot, .loading(previous: nil))
      bound.insert(slot)
      loader.bind(slot, to: change.row, isolation: isolation)
    }
    loader.scroll(motion, isolation: isolation)
  }

  /// Schedules the memory warnings at the first frame, which is the start of the run.
  private func scheduleWarnings(isolation: isolated any Actor) {
    for time in warnings {
      scheduled.append(
        context.timeline.spawn { [loader, timeline = context.timeline] in
          do { try await timeline.sleep(for: time) } catch { return }
          loader.releaseMemory(isolation: isolation)
        })
    }
    warnings = []
  }

  func invalidate(count: Int?, isolation: isolated any Actor) {
    for slot in bound.sorted() { loader.unbind(slot, isolation: isolation) }
    bound = []
    retiredSlots += bindings.rows.count
    bindings.removeAll(count: count)
  }

  func end(isolation: isolated any Actor) {
    for warning in scheduled { warning.cancel() }
    loader.end(isolation: isolation)
  }
}
