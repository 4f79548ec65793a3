internal import Cellophane
@testable internal import CellophaneScreens
internal import Dispatch
internal import Observation
internal import Testing

/// As in an app: everything on the main actor, on the clock and the threads of the system.
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

  @Test("results are delivered on the main actor")
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

  @Test("actions are reduced on the main actor, also those of effects")
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

  @Test("an effect ends on the main actor and never overlaps its replacement")
  func replacement() async {
    let table = EffectTable(timeline: Timeline())
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<2_000 {
      table.run(0, priority: nil, isolation: MainActor.shared) { _ in
        await Self.elsewhere()
        continuation.yield()
      }
      // Some effects have ended by then, others end a little later.
      for await _ in ends { break }
      #expect(table.count <= 1)
    }
  }

  @Test("actions are reduced on the main actor, even with a nonisolated reducer and effects elsewhere")
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
    DispatchQueue.main.setSpecific(key: mainQueueKey, value: true)
    return Store(Sent()) { state, action in
      state.isIsolated.append(DispatchQueue.getSpecific(key: mainQueueKey) == true)
      switch action {
      case .load:
        return .run { send in
          // Covers the body of a task group and a child task.
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

  /// Observers are called before a change takes effect.
  @Test("an action that an observer sends is reduced after the observed one")
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

  @Test("a search loads and gets its results")
  func search() async {
    let model = SearchModel(Numbers(), debounce: .zero)
    model.search(for: "four")
    #expect(model.state.isLoading)
    await wait { !model.state.isLoading }
    #expect(model.state.results == 4)
  }

  /// A repository and source. Neither the class nor its conformances are `Sendable`.
  private final class Drafts: SearchRepository, PagingSource {
    var texts: [String] = []

    func results(for text: String) async throws -> [String] {
      texts.append(text)
      return texts
    }

    func page(at cursor: Int?) async throws -> Page<String, Int> { Page(texts, next: nil) }
  }

  @Test("a repository may be isolated to the main actor")
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

  /// The key that identifies the queue of the main actor. Its thread is not always the same on Linux.
  fileprivate nonisolated static let mainQueueKey = DispatchSpecificKey<Bool>()

  /// A source that suspends elsewhere, and records whether it runs on the main actor.
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

    private func isOnMain() -> Bool { DispatchQueue.getSpecific(key: MainActorTests.mainQueueKey) == true }
  }

  @Test("pages and results are requested on the main actor, on every path of the models")
  func requesting() async {
    DispatchQueue.main.setSpecific(key: Self.mainQueueKey, value: true)
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

  /// Waits until `isMet` returns true. It reads observed state.
  private func wait(until isMet: () -> Bool) async {
    while true {
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
      // Called before the change takes effect, within the same job of the actor.
      if withObservationTracking(isMet, onChange: { continuation.yield() }) { return }
      for await _ in changes { break }
    }
  }
}
