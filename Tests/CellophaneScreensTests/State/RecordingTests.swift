internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Foundation
internal import Testing

@Suite("Recordings of models, written to a file and replayed")
struct RecordingTests {
  private typealias SearchStore = Store<SearchState<[String]>, SearchAction<[String]>>
  private typealias PagingStore = Store<PagingState<Int, Int>, PagingAction<Int, Int>>

  private actor Screen {
    private let search: SearchModel<[String]>
    private let pages: PagingModel<Int, Int>

    init(_ timeline: Timeline) {
      search = SearchModel(
        ScriptedRepository(timeline) { number in
          SearchAnswer(milliseconds: 50, outcome: [.found, .failed, .found, .permanent][number % 4])
        }, timeline: timeline)
      pages = PagingModel(
        ScriptedPages(timeline, sizes: [10, 10, 10, 10]) { number, _ in
          .init(outcome: [.page, .failed, .page, .failed, .gaveUp, .failed, .page][number % 7])
        }, timeline: timeline)
    }

    /// Starts a search and a list before the recording, so that its initial state is not empty.
    func prepare() {
      search.search(for: "before")
      search.submit()
      pages.loadIfNeeded(upTo: 0)
    }

    func begin() {
      search.store.startRecording()
      pages.store.startRecording()
    }

    func act(_ number: Int) {
      switch number % 7 {
      case 0, 3: search.search(for: "text \(number)")
      case 1: search.retry()
      case 2: search.submit()
      case 4: search.cancel()
      case 5: search.search(for: " ")
      default: search.search(for: "text \(number - 1)")
      }
      switch number % 5 {
      case 0: pages.refresh()
      case 1: pages.retry()
      case 2: pages.cancelRefresh()
      default: pages.loadIfNeeded(upTo: number)
      }
    }

    func end() -> (
      SearchStore.Recording?, PagingStore.Recording?, SearchState<[String]>, PagingState<Int, Int>
    ) {
      (search.store.stopRecording(), pages.store.stopRecording(), search.state, pages.state)
    }
  }

  private static func copy<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test("a replayed recording gives the same states in another store")
  func elsewhere() throws {
    let time = VirtualTime()
    let ended = time.run {
      let screen = Screen(time.timeline())
      await screen.prepare()
      await time.quiescence()
      await screen.begin()
      for number in 0..<60 {
        await screen.act(number)
        try? await time.timeline().sleep(for: .milliseconds(number % 4 * 150))
      }
      await time.quiescence()
      return await screen.end()
    }
    guard case (let search?, let pages?, let searchState, let pagingState)? = ended else {
      Issue.record("no recordings")
      return
    }
    let searching = try Self.copy(search)
    #expect(searching == search && searching.initial.results == ["before 0"] && searching.entries.count > 60)
    let model = SearchModel(
      ScriptedRepository(time.timeline()) { _ in SearchAnswer(milliseconds: 0, outcome: .found) })
    let searchStates = model.store.replay(searching)
    #expect(searchStates == model.store.replay(search) && searchStates.last == searchState)
    #expect(searchStates.contains { $0.failure != nil } && searchStates.contains { $0.isLoading })

    let paging = try Self.copy(pages)
    #expect(paging == pages && paging.initial.items.count == 10 && paging.entries.count > 60)
    let list = PagingModel(ScriptedPages(time.timeline(), sizes: []))
    let pagingStates = list.store.replay(paging)
    #expect(pagingStates == list.store.replay(pages) && pagingStates.last == pagingState)
    #expect(pagingStates.contains { if case .failed = $0.refresh { true } else { false } })
    #expect(pagingStates.contains { if case .failed = $0.end { true } else { false } })
  }
}
