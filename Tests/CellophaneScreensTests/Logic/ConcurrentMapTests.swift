internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Concurrent maps, in virtual time")
struct ConcurrentMapTests {
  /// Operations that take time, with counts of running, started and cancelled ones.
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
    "results keep the order of the elements, and the limit is observed",
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

  @Test("an operation without errors needs no `try`, and child tasks stay in virtual time")
  func plain() {
    let world = World()
    let values = world.time.run { await ["a", "b"].concurrentMap(limit: 2) { $0 + $0 } }
    #expect(values == ["aa", "bb"])
    #expect(world.time.run { await [Int]().concurrentMap(limit: 2) { $0 } } == [])
  }

  @Test("the first error cancels the other operations, starts no more and is thrown")
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

  @Test("a cancellation reaches all operations", arguments: [0, 50, 100, 150])
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

  @Test("the unordered map delivers results in the order of completion")
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

  @Test("the first error ends an unordered map, after the results before it")
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

  @Test("a slow reader slows an unordered map down")
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
          // One result in the buffer, one that waits for room, and the other operations within the limit.
          #expect(world.seen.begun <= read + 4)
        }
      } catch {}
      #expect(read == 100)
    }
  }

  @Test("leaving the loop of an unordered map cancels its operations", arguments: [false, true])
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
    "no operation starts after the loop has ended, even if others ignore the cancellation")
  func stubborn() {
    let time = VirtualTime()
    let timeline = time.timeline()
    let begun = Shared(0)
    time.run {
      let values = (0...).concurrentMapUnordered(limit: 4, on: timeline) { number in
        begun.update { $0 += 1 }
        // The sleep of a separate task, which is not cancelled.
        await timeline.spawn { try? await timeline.sleep(for: .milliseconds(10)) }.value
        return number
      }
      for await value in values where value >= 10 { break }
    }
    #expect((11...20).contains(begun.value))
  }
}
