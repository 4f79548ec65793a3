internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Testing

@Suite("A list whose items are all there, in virtual time")
struct WholeListTests {
  /// A list of `items`, told to do anything that a list may be told.
  private actor Whole {
    private let model: PagingModel<Int, Never>

    init(_ items: [Int], _ timeline: Timeline) { model = PagingModel(items: items, timeline: timeline) }

    var state: PagingState<Int, Never> { model.state }
    var runningEffects: Int { model.store.runningEffects }
    func loadIfNeeded(upTo end: Int) { model.loadIfNeeded(upTo: end) }
    func retry() { model.retry() }
    func refresh() { model.refresh() }

    /// Begins anew and stays with what there is; returns the state between.
    func refreshInVain() -> PagingState<Int, Never> {
      model.refresh()
      defer { model.cancelRefresh() }
      return model.state
    }
  }

  @Test("it loads nothing, and begins anew with the same", arguments: [0, 3])
  func whole(count: Int) {
    let time = VirtualTime()
    let items = Array(0..<count)
    let isDone: Void? = time.run {
      let list = Whole(items, time.timeline())
      let first = await list.state
      #expect(first.items == items && first.end == .last && first.refresh == .idle)
      for end in [0, count, count + 1, .max] { await list.loadIfNeeded(upTo: end) }
      await list.retry()
      #expect(await list.runningEffects == 0)
      let begun = await list.refreshInVain()
      #expect(begun.refresh == .running && begun.items == items)
      #expect(await list.state.refresh == .idle)
      await list.refresh()
      await time.quiescence()
      let anew = await list.state
      #expect(anew.items == items && anew.end == .last && anew.refresh == .idle)
      #expect(anew.generation == first.generation + 1 && time.now.nanoseconds == 0)
    }
    #expect(isDone != nil)
  }
}
