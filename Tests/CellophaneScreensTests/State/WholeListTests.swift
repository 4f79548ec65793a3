internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

@Suite("A list that is complete from the start, in virtual time")
struct WholeListTests {
  /// A screen with a complete list.
  private actor Screen {
    private let model: PagingModel<Int, Never>

    init(_ items: [Int], _ timeline: Timeline) { model = PagingModel(items: items, timeline: timeline) }

    var state: PagingState<Int, Never> { model.state }
    var runningEffects: Int { model.store.runningEffects }
    func loadIfNeeded(upTo end: Int) { model.loadIfNeeded(upTo: end) }
    func retry() { model.retry() }
    func refresh() { model.refresh() }

    /// Refreshes, and cancels the refresh. Returns the state in between.
    func refreshAndCancel() -> PagingState<Int, Never> {
      model.refresh()
      defer { model.cancelRefresh() }
      return model.state
    }
  }

  @Test("a complete list loads nothing, and a refresh returns the same items", arguments: [0, 3])
  func complete(count: Int) {
    let time = VirtualTime()
    let items = Array(0..<count)
    let isDone: Void? = time.run {
      let list = Screen(items, time.timeline())
      let first = await list.state
      #expect(first.items == items && first.end == .last && first.refresh == .idle)
      for end in [0, count, count + 1, .max] { await list.loadIfNeeded(upTo: end) }
      await list.retry()
      #expect(await list.runningEffects == 0)
      let refreshing = await list.refreshAndCancel()
      #expect(refreshing.refresh == .running && refreshing.items == items)
      #expect(await list.state.refresh == .idle)
      await list.refresh()
      await time.quiescence()
      let refreshed = await list.state
      #expect(refreshed.items == items && refreshed.end == .last && refreshed.refresh == .idle)
      #expect(refreshed.generation == first.generation + 1 && time.now.nanoseconds == 0)
    }
    #expect(isDone != nil)
  }
}
