internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Many at once, in virtual time")
struct ConcurrentMapTests {
  /// Operations that take a while, and how many of them ran at once, ended and were cancelled.
  private final class World: Sendable {
    struct Counts {
      var running = 0
      var most = 0
      var begun = 0
      var cancelled = 0
    }

    let time = VirtualTime()
    let timeline: Timeline
    private let counts = Shared(Counts())

    init() { timeline = time.timeline() }

    var seen: Counts { counts.value }

    func work(_ number: Int, taking milliseconds: Int, fails: Bool = false) async throws(LoadError) -> Int {
      counts.update {
        $0.running += 1
        $0.begun += 1
        $0.most = max($0.most, $0.running)
      }
      defer { counts.update { $0.running -= 1 } }
      do {
        try await timeline.sleep(for: .milliseconds(milliseconds))
      } catch {
        counts.update { $0.cancelled += 1 }
        throw .cancelled
      }
      if fails { throw LoadError(.status, "\(number)") }
      return number
    }
  }

  @Test(
    "results in order, whatever each takes; never more at once than allowed",
    arguments: [-1, 1, 3, 7, 100, .max])
  func order(limit: Int) {
    let world = World()
    let values = world.time.run {
      try? await (0..<40).concurrentMap(limit: limit) { number throws(LoadError) in
        try await world.work(number, taking: (number * 37) % 50)
      }
    }
    #expect(values == Array(0..<40))
    #expect(world.seen.most == min(40, max(1, limit)) && world.seen.running == 0)
  }

  @Test("without errors nothing is thrown, and children stay in virtual time")
  func plain() {
    let world = World()
    let values = world.time.run { await ["a", "b"].concurrentMap(limit: 2) { $0 + $0 } }
    #expect(values == ["aa", "bb"])
    #expect(world.time.run { await [Int]().concurrentMap(limit: 2) { $0 } } == [])
  }

  @Test("the first error cancels the rest, begins nothing more and is thrown")
  func errors() {
    let world = World()
    let error = world.time.run { () -> LoadError? in
      do throws(LoadError) {
        _ = try await (0..<40).concurrentMap(limit: 4) { number throws(LoadError) in
          try await world.work(number, taking: 100 + number, fails: number == 2)
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(error == LoadError(.status, "2"))
    #expect(world.seen.begun == 6 && world.seen.cancelled == 3 && world.seen.running == 0)
    #expect(world.time.now.nanoseconds == 102_000_000)
  }

  @Test("cancelling reaches all", arguments: [0, 50, 100, 150])
  func cancelling(after milliseconds: Int) {
    let world = World()
    let failed = Shared(false)
    let task = world.timeline.spawn {
      do throws(LoadError) {
        _ = try await (0..<40).concurrentMap(limit: 4) { number throws(LoadError) in
          try await world.work(number, taking: 100)
        }
      } catch {
        failed.value = error == .cancelled
      }
    }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(milliseconds))
      task.cancel()
    }
    world.time.run()
    #expect(failed.value && world.seen.running == 0)
    #expect(world.time.now.nanoseconds == milliseconds * 1_000_000)
  }

  @Test("as they finish")
  func unordered() {
    let world = World()
    let log = world.time.run {
      await world.timeline.record(
        [30, 10, 21, 5].concurrentMapUnordered(limit: 2, on: world.timeline) { number throws(LoadError) in
          try await world.work(number, taking: number)
        })
    }
    #expect(log == ["10@10", "30@30", "21@31", "5@35", "end@35"])
  }

  @Test("as they finish, the first error ends it, behind what finished before")
  func unorderedErrors() {
    let world = World()
    let log = world.time.run {
      await world.timeline.record(
        [30, 10, 20, 5].concurrentMapUnordered(limit: 3, on: world.timeline) { number throws(LoadError) in
          try await world.work(number, taking: number, fails: number == 20)
        })
    }
    #expect(log == ["10@10", "5@15", "status: 20@20"])
    #expect(world.seen.running == 0 && world.seen.cancelled == 1)
  }

  @Test("as they finish, a slow reader slows the work down")
  func slowReader() {
    let world = World()
    world.time.run {
      let values = (0..<100).concurrentMapUnordered(limit: 3, on: world.timeline) {
        number throws(LoadError) in
        try await world.work(number, taking: 1)
      }
      var read = 0
      do throws(LoadError) {
        for try await _ in values {
          read += 1
          try? await world.timeline.sleep(for: .seconds(1))
          // One in the buffer, one that waits for it, and the rest of those allowed.
          #expect(world.seen.begun <= read + 4)
        }
      } catch {}
      #expect(read == 100)
    }
  }

  @Test("as they finish, leaving the loop cancels what runs", arguments: [false, true])
  func leaving(cancels: Bool) {
    let world = World()
    let reader = world.timeline.spawn {
      let values = (1..<40).concurrentMapUnordered(limit: 4, on: world.timeline) { number throws(LoadError) in
        try await world.work(number, taking: number * 10)
      }
      do throws(LoadError) {
        for try await value in values where value == 2 && !cancels { break }
      } catch {}
    }
    world.timeline.spawn {
      try? await world.timeline.sleep(for: .milliseconds(20))
      if cancels { reader.cancel() }
    }
    world.time.run()
    #expect(world.time.now.nanoseconds == 20_000_000)
    #expect(world.seen.running == 0 && world.seen.cancelled > 0)
  }

  @Test(
    "as they finish, nothing more begins once the loop is left, whatever does not heed that it is cancelled")
  func stubborn() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let begun = Shared(0)
    time.run {
      let values = (0...).concurrentMapUnordered(limit: 4, on: timeline) { number in
        begun.update { $0 += 1 }
        // Another task's, which nobody cancels.
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(10)) }.value
        return number
      }
      for await value in values where value >= 10 { break }
    }
    #expect((11...20).contains(begun.value))
  }
}
