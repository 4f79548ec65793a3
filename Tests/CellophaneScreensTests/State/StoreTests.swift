internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Foundation
internal import Observation
internal import Testing

@Suite("A store, in virtual time")
struct StoreTests {
  private enum Action: Codable, Hashable, Sendable {
    case add(Int)
    case addLater(Int, milliseconds: Int, id: String?)
    case count(to: Int)
    case stop(String)
  }

  private struct Sum: Codable, Hashable, Sendable {
    var total = 0
    var actions = 0
  }

  private typealias SumStore = Store<Sum, Action>

  private static func reduce(_ sum: inout Sum, _ action: Action, _ timeline: Timeline) -> Effects<Action> {
    sum.actions += 1
    switch action {
    case .add(let number):
      sum.total += number
      return .none
    case .addLater(let number, let milliseconds, let id):
      let work: (Effects<Action>.Send) async -> Void = { send in
        try? await timeline.sleep(for: .milliseconds(milliseconds))
        await send(.add(number))
      }
      return id.map { .run(id: $0, work) } ?? .run(work)
    case .count(let last):
      return .cancel(id: "a")
        + .run(id: "count", after: .milliseconds(10)) { send in
          for number in 1...last {
            await send(.add(number))
            try? await timeline.sleep(for: .milliseconds(10))
          }
        }
    case .stop(let id): return .cancel(id: id)
    }
  }

  private actor Screen {
    private var store: SumStore?
    private let timeline: Timeline
    private(set) var log: [String] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
      store = Store(Sum(), timeline: timeline) { StoreTests.reduce(&$0, $1, timeline) }
    }

    var sum: Sum? { store?.state }
    var runningEffects: Int { store?.runningEffects ?? 0 }

    func send(_ action: Action) { store?.send(action) }
    func record() { store?.startRecording() }
    func recording() -> SumStore.Recording? { store?.stopRecording() }
    func cancelEffects() { store?.cancelEffects() }

    /// Draws the total now and after each change, as a view does.
    func draw() {
      guard let store else { return }
      let total = withObservationTracking {
        store.state.total
      } onChange: { [weak self, timeline] in
        timeline.spawn { await self?.draw() }
      }
      log.append("\(total)@\(Int((timeline.now / .milliseconds(1)).rounded()))")
    }

    func release() -> Bool {
      weak let trace = store
      store = nil
      return trace == nil
    }
  }

  private func run<Value: Sendable>(
    _ body: @escaping @Sendable (Screen, (Int) async -> Void) async -> Value
  ) -> Value? {
    let time = VirtualTime()
    return time.run {
      let screen = Screen(time.timeline())
      let value = await body(screen) { try? await time.timeline().sleep(for: .milliseconds($0)) }
      await time.quiescence()
      #expect(await screen.runningEffects == 0)
      return value
    }
  }

  @Test("an action changes the state at once, and its effects send further actions later")
  func effects() {
    let sums = run { screen, pause in
      await screen.send(.add(1))
      let first = await screen.sum?.total
      await screen.send(.addLater(10, milliseconds: 50, id: nil))
      await screen.send(.addLater(20, milliseconds: 30, id: nil))
      #expect(await screen.runningEffects == 2)
      await pause(40)
      let second = await screen.sum?.total
      await pause(20)
      return [first, second, await screen.sum?.total]
    }
    #expect(sums == [1, 21, 31])
  }

  @Test("an effect replaces the one with the same identity and drops its actions")
  func identity() {
    let sum = run { screen, pause in
      await screen.send(.addLater(1, milliseconds: 50, id: "a"))
      await screen.send(.addLater(10, milliseconds: 50, id: "b"))
      await pause(20)
      await screen.send(.addLater(100, milliseconds: 10, id: "a"))
      #expect(await screen.runningEffects == 2)
      await pause(100)
      await screen.send(.addLater(1_000, milliseconds: 10, id: "a"))
      await screen.send(.stop("a"))
      await screen.send(.stop("nothing"))
      await pause(100)
      return await screen.sum?.total
    }
    #expect(sum == 110)
  }

  /// The older effect wakes at the time at which the newer one starts. The number of yields covers each step.
  @Test("an action of a replaced effect is dropped, even on its way to the store", arguments: 0..<10)
  func onItsWay(yields: Int) {
    let total = run { screen, pause in
      await screen.send(.addLater(1, milliseconds: 10, id: "a"))
      await pause(10)
      for _ in 0..<yields { await Task.yield() }
      let committed = await screen.sum?.total ?? 0
      await screen.send(.addLater(100, milliseconds: 10, id: "a"))
      await pause(100)
      return await (screen.sum?.total ?? 0) - committed
    }
    #expect(total == 100)
  }

  @Test("an effect may start with a delay, send several actions, and be cancelled between them")
  func many() {
    let totals = run { screen, pause in
      await screen.send(.addLater(1_000, milliseconds: 5, id: "a"))
      await screen.send(.count(to: 5))
      await pause(5)
      // Restarts the delay.
      await screen.send(.count(to: 5))
      await pause(9)
      let before = await screen.sum?.total
      await pause(2)
      let first = await screen.sum?.total
      await pause(10)
      let second = await screen.sum?.total
      await screen.cancelEffects()
      await pause(100)
      return [before, first, second, await screen.sum?.total]
    }
    #expect(totals == [0, 1, 3, 3])
  }

  @Test("observers see each change")
  func observing() {
    let log = run { screen, pause in
      await screen.draw()
      await pause(5)
      await screen.send(.add(1))
      await screen.send(.add(2))
      await pause(5)
      await screen.send(.addLater(4, milliseconds: 10, id: nil))
      await pause(100)
      return await screen.log
    }
    #expect(log?.first == "0@0" && log?.last == "7@20")
    #expect(log?.contains("3@5") == true)
  }

  @Test("the same actions give the same states", arguments: 0..<200)
  func replay(seed: Int) {
    var random = SplitMix64(seed: seed)
    let steps = (0..<20).map { number -> (Int, Action) in
      let pause = Int.random(in: 0..<30, using: &random)
      let action: Action =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .add(number)
        case 1: .addLater(number, milliseconds: pause * 2, id: Bool.random(using: &random) ? "a" : nil)
        case 2: .count(to: 3)
        default: .stop(["a", "count"][number % 2])
        }
      return (pause, action)
    }
    let result = run { screen, pause in
      await screen.record()
      for (milliseconds, action) in steps {
        await screen.send(action)
        await pause(milliseconds)
      }
      await pause(1_000)
      return (await screen.recording(), await screen.sum)
    }
    guard case (let recording?, let sum?)? = result else {
      Issue.record("seed \(seed): no recording")
      return
    }
    let states = SumStore(Sum()) { Self.reduce(&$0, $1, Timeline()) }.replay(recording)
    #expect(states.last == sum && states.count == sum.actions, "seed \(seed)")
    let times = recording.entries.map(\.time)
    #expect(times == times.sorted(), "seed \(seed)")
  }

  @Test("releasing the store cancels its effects, which do not retain it")
  func release() {
    let time = VirtualTime()
    time.run {
      let screen = Screen(time.timeline())
      await screen.send(.addLater(1, milliseconds: 1_000, id: nil))
      await screen.send(.addLater(1, milliseconds: 1_000, id: "a"))
      await screen.send(.count(to: 3))
      try? await time.timeline().sleep(for: .milliseconds(5))
      #expect(await screen.release())
    }
    #expect(time.now.nanoseconds == 5_000_000)
  }

  @Test("a recording is Codable if its state and its actions are")
  func coding() throws {
    let recording = run { screen, pause in
      await screen.record()
      await screen.send(.add(7))
      await pause(20)
      await screen.send(.stop("a"))
      return await screen.recording()
    }
    let once = try #require(recording ?? nil)
    #expect(once.entries.map(\.time) == [.zero, .milliseconds(20)])
    #expect(try JSONDecoder().decode(SumStore.Recording.self, from: JSONEncoder().encode(once)) == once)
  }
}
