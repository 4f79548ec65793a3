internal import Cellophane
@testable internal import CellophaneScreens
internal import Dispatch
internal import Observation
internal import Testing

/// An app's way: everything on the main actor, on the system's clock and threads.
@Suite("On the main actor")
@MainActor
struct MainActorTests {
  private enum Action: Sendable {
    case load
    case loaded(Int)
  }

  private struct Numbers: SearchRepository {
    func results(for text: String) async throws -> Int { await count(text) }

    @concurrent
    private func count(_ text: String) async -> Int { text.count }
  }

  @Test("results come back to it")
  func latest() async {
    let latest = LatestTask()
    let value = await withCheckedContinuation { continuation in
      latest.run {
        1
      } onResult: { result in
        MainActor.assertIsolated()
        continuation.resume(returning: result.get())
      }
    }
    #expect(value == 1)
  }

  @Test("actions are reduced on it, those of effects too")
  func store() async {
    let (loaded, continuation) = AsyncStream.makeStream(of: Int.self)
    let store = Store<Int, Action>(0) { state, action in
      MainActor.assertIsolated()
      switch action {
      case .load:
        return .run(id: 0) { send in
          await Self.elsewhere()
          await send(.loaded(7))
        }
      case .loaded(let number):
        state = number
        continuation.yield(number)
        return .none
      }
    }
    store.send(.load)
    for await number in loaded {
      #expect(number == 7 && store.state == 7)
      break
    }
  }

  @Test("effects end on it, wherever they were, beside nobody who replaces them")
  func replacement() async {
    let table = EffectTable(timeline: Timeline())
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<2_000 {
      table.run(0, priority: nil, isolation: MainActor.shared) { _ in
        await Self.elsewhere()
        continuation.yield()
      }
      // Some have ended by then, some are about to.
      for await _ in ends { break }
      #expect(table.count <= 1)
    }
  }

  @Test("so are those of a store whose reducer belongs to no actor, and whose effects run elsewhere")
  func anyActors() async {
    let store = Self.store()
    store.send(.load)
    await wait { store.state.isSent }
    #expect(store.state.isIsolated == [true, true])
  }

  private struct Sent {
    var isSent = false
    /// Whether each action was reduced on the main actor.
    var isIsolated: [Bool] = []
  }

  private nonisolated static func store() -> Store<Sent, Action> {
    DispatchQueue.main.setSpecific(key: mark, value: true)
    return Store(Sent()) { state, action in
      state.isIsolated.append(DispatchQueue.getSpecific(key: mark) == true)
      switch action {
      case .load:
        return .run { send in
          // A group's body, and a child's.
          await withTaskGroup { group in
            group.addTask { await elsewhere() }
            await group.waitForAll()
            await send(.loaded(1))
          }
        }
      case .loaded:
        state.isSent = true
        return .none
      }
    }
  }

  @concurrent
  fileprivate static func elsewhere() async {}

  @MainActor
  private final class Counter {
    let store = Store<[Int], Int>([]) { state, action in
      state.append(action)
      return .none
    }
  }

  /// Observers hear of a change before it is made.
  @Test("what an observer sends comes after what it heard of")
  func reentrancy() {
    let counter = Counter()
    withObservationTracking {
      _ = counter.store.state
    } onChange: {
      MainActor.assumeIsolated {
        #expect(counter.store.state == [])
        counter.store.send(2)
        #expect(counter.store.state == [])
      }
    }
    counter.store.send(1)
    #expect(counter.store.state == [1, 2])
  }

  @Test("a search is asked and answered")
  func search() async {
    let model = SearchModel(Numbers(), debounce: .zero)
    model.search(for: "four")
    #expect(model.state.isLoading)
    await wait { !model.state.isLoading }
    #expect(model.state.results == 4)
  }

  /// Neither of them `Sendable`, nor its conformance.
  private final class Drafts: SearchRepository, PagingSource {
    var asked: [String] = []

    func results(for text: String) async throws -> [String] {
      asked.append(text)
      return asked
    }

    func page(at cursor: Int?) async throws -> Page<String, Int> { Page(asked, next: nil) }
  }

  @Test("a repository may belong to it, too")
  func isolated() async {
    let drafts = Drafts()
    let model = SearchModel(drafts, debounce: .zero)
    model.search(for: "a")
    await wait { model.state.results == ["a"] }
    let pages = PagingModel(drafts)
    pages.loadIfNeeded(upTo: 0)
    await wait { pages.state.end == .last }
    #expect(pages.state.items == ["a"])
  }

  /// What the main actor's queue can be told by: its thread is another each time on Linux.
  fileprivate nonisolated static let mark = DispatchSpecificKey<Bool>()

  /// Pages that are asked for in the isolation of their model, and take a while elsewhere.
  private final class Book: SearchRepository, PagingSource {
    private(set) var isolated: [Bool] = []

    func results(for text: String) async throws -> Int { try await page(at: 3).items[0] }

    func page(at cursor: Int?) async throws -> Page<Int, Int> {
      isolated.append(isOnMain())
      await MainActorTests.elsewhere()
      isolated.append(isOnMain())
      let cursor = cursor ?? 0
      return Page([cursor], next: cursor < 4 ? cursor + 1 : nil)
    }

    private func isOnMain() -> Bool { DispatchQueue.getSpecific(key: MainActorTests.mark) == true }
  }

  @Test("pages and results are asked for on it, however the model comes to ask")
  func asking() async {
    DispatchQueue.main.setSpecific(key: Self.mark, value: true)
    let book = Book()
    let pages = PagingModel(book, interval: .zero)
    pages.loadIfNeeded(upTo: 100)
    await wait { pages.state.end == .last }
    pages.refresh()
    await wait { pages.state.generation == 1 && pages.state.end == .more }
    for debounce in [Duration.zero, .milliseconds(1)] {
      let search = SearchModel(book, debounce: debounce)
      search.search(for: "a")
      await wait { search.state.results != nil }
    }
    #expect(book.isolated == Array(repeating: true, count: 16), "\(book.isolated)")
  }

  /// Returns once `isMet`, which reads what is observed.
  private func wait(until isMet: () -> Bool) async {
    while true {
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
      // Told before the change is made, in the same turn of the actor.
      if withObservationTracking(isMet, onChange: { continuation.yield() }) { return }
      for await _ in changes { break }
    }
  }
}
