internal import Cellophane
@testable internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Results of the latest run, in virtual time")
struct LatestTaskTests {
  /// An actor with a `LatestTask`, like a screen.
  private actor Owner {
    private let timeline: Timeline
    private let latest: LatestTask
    var log: [String] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
      latest = LatestTask(timeline: timeline)
    }

    var isRunning: Bool { latest.isRunning }

    /// Runs an operation that takes `milliseconds`. A `stubborn` operation ignores a cancellation.
    func run(_ name: String, taking milliseconds: Int, fails: Bool = false, stubborn: Bool = false) {
      latest.run { [timeline] in
        if stubborn {
          await timeline.spawn { try? await timeline.sleep(for: .milliseconds(milliseconds)) }.value
        } else {
          try await timeline.sleep(for: .milliseconds(milliseconds))
        }
        if fails { throw LoadError(.status, name) }
        return name
      } onResult: { result in
        switch result {
        case .success(let name): self.log.append(name)
        case .failure(let error): self.log.append("\(error)")
        }
      }
    }

    /// Runs an operation that ends together with `end`.
    func run(_ name: String, until end: AsyncStream<Void>) {
      latest.run {
        for await _ in end { break }
        return name
      } onResult: { result in
        self.log.append(result.get())
      }
    }

    /// Starts another run, and returns the results delivered before.
    func replace(_ name: String) -> [String] {
      defer { run(name, taking: 10) }
      return log
    }

    func cancel() { latest.cancel() }
  }

  @Test(
    "a new run replaces the previous one, even if that ignores the cancellation", arguments: [false, true])
  func order(stubborn: Bool) {
    let time = VirtualTime()
    let log = time.run {
      let owner = Owner(time.timeline())
      await owner.run("slow", taking: 100, stubborn: stubborn)
      await owner.run("fast", taking: 10, stubborn: stubborn)
      await time.quiescence()
      #expect(await !owner.isRunning)
      return await owner.log
    }
    #expect(log == ["fast"])
  }

  /// The result is on its way to the owner when the owner starts another run.
  @Test("a result of a replaced run is discarded, even on its way to the owner", arguments: 0..<12)
  func onItsWay(yields: Int) {
    let time = VirtualTime()
    let log = time.run {
      let timeline = time.timeline()
      let owner = Owner(timeline)
      let (end, ending) = AsyncStream.makeStream(of: Void.self)
      await owner.run("old", until: end)
      try? await timeline.sleep(for: .milliseconds(10))
      ending.finish()
      // The number of yields covers each step of the delivery.
      for _ in 0..<yields { await Task.yield() }
      let delivered = await owner.replace("new")
      await time.quiescence()
      return await [delivered, owner.log]
    }
    #expect(log == [[], ["new"]] || log == [["old"], ["old", "new"]])
  }

  @Test("a cancellation delivers nothing, before, during and after a run", arguments: [0, 1, 5, 10, 11])
  func cancelling(after milliseconds: Int) {
    for fails in [false, true] {
      let time = VirtualTime()
      let log = time.run {
        let owner = Owner(time.timeline())
        await owner.cancel()
        await owner.run("a", taking: 10, fails: fails)
        try? await time.timeline().sleep(for: .milliseconds(milliseconds))
        await owner.cancel()
        #expect(await !owner.isRunning)
        let log = await owner.log
        await time.quiescence()
        #expect(await owner.log == log)
        await owner.run("b", taking: 1)
        await time.quiescence()
        return await owner.log
      }
      let a = fails ? "status: a" : "a"
      #expect(milliseconds < 10 ? log == ["b"] : milliseconds > 10 ? log == [a, "b"] : log?.last == "b")
    }
  }

  @Test("an error is delivered like a value")
  func errors() {
    let time = VirtualTime()
    let log = time.run {
      let owner = Owner(time.timeline())
      await owner.run("a", taking: 10, fails: true)
      await time.quiescence()
      #expect(await !owner.isRunning)
      return await owner.log
    }
    #expect(log == ["status: a"])
  }

  /// The logic of a screen: a class in the isolation of an actor.
  private final class Logic {
    let latest: LatestTask
    var value = 0
    init(_ timeline: Timeline) { latest = LatestTask(timeline: timeline) }
  }

  private actor Screen {
    private var logic: Logic?
    private weak var trace: Logic?
    private(set) var endedAt: Duration?
    private(set) var values: [Int] = []

    var isReleased: Bool { trace == nil }

    /// Starts a run, and notes the time of its end, also after a cancellation.
    func open(_ timeline: Timeline) {
      let logic = Logic(timeline)
      (self.logic, trace) = (logic, logic)
      logic.latest.run {
        try? await timeline.sleep(for: .milliseconds(100))
        self.endedAt = timeline.now
        return 1
      } onResult: { [weak logic] _ in
        logic?.value = 1
      }
    }

    func close() { logic = nil }

    /// Starts runs one after another: each result starts the next.
    func count(to last: Int, _ timeline: Timeline) {
      let logic = Logic(timeline)
      self.logic = logic
      func next(_ number: Int) {
        logic.latest.run {
          number
        } onResult: { result in
          self.values.append(result.get())
          if number < last { next(number + 1) }
        }
      }
      next(1)
    }
  }

  @Test("releasing the owner cancels the run, which does not retain the owner")
  func ends() {
    let time = VirtualTime()
    let ended = time.run {
      let screen = Screen()
      await screen.open(time.timeline())
      try? await time.timeline().sleep(for: .milliseconds(10))
      #expect(await !screen.isReleased)
      await screen.close()
      #expect(await screen.isReleased)
      await time.quiescence()
      return await screen.endedAt
    }
    #expect(ended == .milliseconds(10))
    #expect(time.now.nanoseconds == 10_000_000)
  }

  @Test("a run is current until it is replaced, cancelled or ended")
  func currentRun() {
    let time = VirtualTime()
    #expect(
      time.run { await RunOwner().isCurrent(on: time.timeline()) } == [true, false, true, false, true, false])
  }

  private actor RunOwner {
    private var runs: [LatestTask.Run] = []

    private func begin(_ latest: LatestTask, _ timeline: Timeline) async {
      latest.run(isolation: self) { run in
        self.runs.append(run)
        try? await timeline.sleep(for: .seconds(1))
      }
      try? await timeline.sleep(for: .milliseconds(1))
    }

    /// Returns whether each run is current, before and after its replacement, cancellation and end.
    func isCurrent(on timeline: Timeline) async -> [Bool] {
      let latest = LatestTask(timeline: timeline)
      await begin(latest, timeline)
      var isCurrent = [runs[0].isCurrent]
      await begin(latest, timeline)
      isCurrent += [runs[0].isCurrent, runs[1].isCurrent]
      latest.cancel()
      isCurrent.append(runs[1].isCurrent)
      await begin(latest, timeline)
      isCurrent.append(runs[2].isCurrent)
      try? await timeline.sleep(for: .seconds(2))
      return isCurrent + [runs[2].isCurrent]
    }
  }

  @Test("a result may start the next run")
  func chain() {
    let time = VirtualTime()
    let values = time.run {
      let screen = Screen()
      await screen.count(to: 3, time.timeline())
      await time.quiescence()
      return await screen.values
    }
    #expect(values == [1, 2, 3])
  }
}
