internal import Cellophane
@testable internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("The latest run counts, in virtual time")
struct LatestTaskTests {
  /// An actor with a task holder, as a screen would have one.
  private actor Owner {
    private let timeline: Timeline
    private let latest: LatestTask
    var log: [String] = []

    init(_ timeline: Timeline) {
      self.timeline = timeline
      latest = LatestTask(timeline: timeline)
    }

    var isRunning: Bool { latest.isRunning }

    /// Runs something that takes `milliseconds`, whether it is cancelled or not when it is `stubborn`.
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

    /// Runs something that takes until `end` does.
    func run(_ name: String, until end: AsyncStream<Void>) {
      latest.run {
        for await _ in end { break }
        return name
      } onResult: { result in
        self.log.append(result.get())
      }
    }

    /// Begins another run, and returns what had landed before.
    func overtake(_ name: String) -> [String] {
      defer { run(name, taking: 10) }
      return log
    }

    func cancel() { latest.cancel() }
  }

  @Test("a new run overtakes the one before, whichever ends first", arguments: [false, true])
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

  /// Its result is on the way back to its owner in the same instant in which the owner begins another run.
  @Test("a result that is on its way already never lands", arguments: 0..<12)
  func onItsWay(turns: Int) {
    let time = VirtualTime()
    let log = time.run {
      let timeline = time.timeline()
      let owner = Owner(timeline)
      let (end, ending) = AsyncStream.makeStream(of: Void.self)
      await owner.run("old", until: end)
      try? await timeline.sleep(for: .milliseconds(10))
      ending.finish()
      // One more turn of the executor in each case, so that every place on the way is met.
      for _ in 0..<turns { await Task.yield() }
      let landed = await owner.overtake("new")
      await time.quiescence()
      return await [landed, owner.log]
    }
    #expect(log == [[], ["new"]] || log == [["old"], ["old", "new"]])
  }

  @Test("cancelling tells nobody, before, during and after", arguments: [0, 1, 5, 10, 11])
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

  @Test("an error is delivered, one of a run that gives up by itself too")
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

  /// What a screen's logic may look like: a class in the isolation of some actor.
  private final class Logic {
    let latest: LatestTask
    var value = 0
    init(_ timeline: Timeline) { latest = LatestTask(timeline: timeline) }
  }

  private actor Home {
    private var logic: Logic?
    private weak var trace: Logic?
    private(set) var hasEnded: Duration?
    private(set) var values: [Int] = []

    var isGone: Bool { trace == nil }

    /// Begins a run, and is told when it ends, however it does.
    func open(_ timeline: Timeline) {
      let logic = Logic(timeline)
      (self.logic, trace) = (logic, logic)
      logic.latest.run {
        try? await timeline.sleep(for: .milliseconds(100))
        self.hasEnded = timeline.now
        return 1
      } onResult: { [weak logic] _ in
        logic?.value = 1
      }
    }

    func close() { logic = nil }

    /// A result that begins the next run.
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

  @Test("its owner's end cancels what runs, and nothing keeps the owner meanwhile")
  func ends() {
    let time = VirtualTime()
    let ended = time.run {
      let home = Home()
      await home.open(time.timeline())
      try? await time.timeline().sleep(for: .milliseconds(10))
      #expect(await !home.isGone)
      await home.close()
      #expect(await home.isGone)
      await time.quiescence()
      return await home.hasEnded
    }
    #expect(ended == .milliseconds(10))
    #expect(time.now.nanoseconds == 10_000_000)
  }

  @Test("a run can tell that it was overtaken, cancelled or ended")
  func turns() {
    let time = VirtualTime()
    #expect(
      time.run { await Standing().turns(on: time.timeline()) } == [true, false, true, false, true, false])
  }

  private actor Standing {
    private var begun: [LatestTask.Turn] = []

    private func begin(_ latest: LatestTask, _ timeline: Timeline) async {
      latest.run(isolation: self) { turn in
        self.begun.append(turn)
        try? await timeline.sleep(for: .seconds(1))
      }
      try? await timeline.sleep(for: .milliseconds(1))
    }

    func turns(on timeline: Timeline) async -> [Bool] {
      let latest = LatestTask(timeline: timeline)
      await begin(latest, timeline)
      var standing = [begun[0].isCurrent]
      await begin(latest, timeline)
      standing += [begun[0].isCurrent, begun[1].isCurrent]
      latest.cancel()
      standing.append(begun[1].isCurrent)
      await begin(latest, timeline)
      standing.append(begun[2].isCurrent)
      try? await timeline.sleep(for: .seconds(2))
      return standing + [begun[2].isCurrent]
    }
  }

  @Test("a result may begin the next run")
  func chain() {
    let time = VirtualTime()
    let values = time.run {
      let home = Home()
      await home.count(to: 3, time.timeline())
      await time.quiescence()
      return await home.values
    }
    #expect(values == [1, 2, 3])
  }
}
