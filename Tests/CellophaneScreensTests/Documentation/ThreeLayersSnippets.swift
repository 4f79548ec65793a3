internal import Cellophane
internal import CellophaneScreens

// The code of Sources/CellophaneScreens/CellophaneScreens.docc/ThreeLayers.md.

/// The offset of the list, at most ten times a second.
func offsets(_ scrolling: AsyncStream<Double>, on timeline: Timeline) -> some AsyncSequence<Double, Never> {
  scrolling.throttle(for: .milliseconds(100), on: timeline)
}

protocol Archive: Sendable {
  func text(of page: Int) async throws -> String
}

@MainActor final class PageLogic {
  private(set) var text = ""
  private let latest = LatestTask()

  func open(_ page: Int, in archive: some Archive) {
    latest.run {
      try await archive.text(of: page)
    } onResult: { [weak self] result in
      self?.text = (try? result.get()) ?? "This page could not be loaded."
    }
  }
}

struct Basket: Equatable {
  var items: [String] = []
  var isSaved = true
}

enum BasketAction {
  case add(String)
  case saved
}

func basket(
  on timeline: Timeline, save: @escaping @Sendable ([String]) async -> Void
) -> Store<Basket, BasketAction> {
  Store(Basket(), timeline: timeline) { basket, action in
    switch action {
    case .add(let item):
      basket.items.append(item)
      basket.isSaved = false
      // Replaces the pending save: all items are saved together, a second after the last one.
      return .run(id: "save", after: .seconds(1)) { [items = basket.items] send in
        await save(items)
        await send(.saved)
      }
    case .saved:
      basket.isSaved = true
      return .none
    }
  }
}

@MainActor final class BookSearchScreen {
  private let search: SearchModel<[String]>

  init(_ books: some SearchRepository<[String]>) { search = SearchModel(books) }

  /// Input: called for each change of the text field.
  func textDidChange(_ text: String) { search.search(for: text) }

  /// State: everything that is drawn, from one value.
  var rows: [String] { search.state.results ?? [] }
  var showsSpinner: Bool { search.state.isLoading }
  var failure: String? { search.state.failure?.message }
}

// The code in the comment of `Effects`.

struct NewsState {
  var isLoading = false
  var items: [String] = []
}

enum NewsAction {
  case refresh, leave
  case loaded([String])
}

@MainActor func newsStore(_ news: @escaping @MainActor () async -> [String]) -> Store<NewsState, NewsAction> {
  enum Work { case refresh }
  return Store(NewsState()) { state, action in
    switch action {
    case .refresh:
      state.isLoading = true
      return .run(id: Work.refresh) { send in await send(.loaded(await news())) }
    case .leave:
      return .cancel(id: Work.refresh)
    case .loaded(let items):
      state = NewsState(items: items)
      return .none
    }
  }
}
