internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Async operations with a completion handler")
struct CompletionTaskTests {
  private static func text(_ result: Result<Int, any Error>) -> String {
    switch result {
    case .success(let value): "\(value)"
    case .failure(let error): "\(error)"
    }
  }

  /// Runs an operation that takes 20 ms, and returns the calls of its handler with their times. A `stubborn`
  /// operation ignores a cancellation.
  private func run(
    fails: Bool = false, stubborn: Bool = false, cancellingAt milliseconds: Int? = nil
  ) -> [String] {
    let time = VirtualTime()
    let timeline = time.timeline()
    let (log, alive) = (Shared<[String]>([]), Shared(0))
    timeline.spawn {
      let (operation, completion) = (LifetimeToken(alive), LifetimeToken(alive))
      let task = CompletionTask(timeline: timeline) {
        defer { _ = operation }
        if stubborn {
          await timeline.spawn { try? await timeline.sleep(for: .milliseconds(20)) }.value
        } else {
          try await timeline.sleep(for: .milliseconds(20))
        }
        if fails { throw LoadError(.status, "no") }
        return 1
      } completion: { result in
        _ = completion
        log.update { $0.append("\(Self.text(result))@\(timeline.now / .milliseconds(1))") }
      }
      guard let milliseconds else { return }
      if milliseconds > 0 { try? await timeline.sleep(for: .milliseconds(milliseconds)) }
      task.cancel()
      task.cancel()
    }
    time.run()
    #expect(alive.value == 0)
    return log.value
  }

  @Test("the handler is called once, with the result of the operation")
  func results() {
    #expect(run() == ["1@20.0"])
    #expect(run(fails: true) == ["status: no@20.0"])
  }

  @Test(
    "a cancellation is reported once and at once, even if the operation ends late", arguments: [false, true])
  func cancelling(stubborn: Bool) {
    #expect(run(stubborn: stubborn, cancellingAt: 0) == ["CancellationError()@0.0"])
    #expect(run(stubborn: stubborn, cancellingAt: 10) == ["CancellationError()@10.0"])
    #expect(run(stubborn: stubborn, cancellingAt: 30) == ["1@20.0"])
  }

  @Test("a typed error keeps its type")
  func typed() {
    let time = VirtualTime()
    let kinds = Shared<[LoadError.Kind]>([])
    time.run {
      let task = CompletionTask(cancelled: LoadError.cancelled, timeline: time.timeline()) {
        () async throws(LoadError) in
        throw LoadError(.status, "no")
      } completion: { (result: Result<Int, LoadError>) in
        if case .failure(let error) = result { kinds.update { $0.append(error.kind) } }
      }
      await time.quiescence()
      task.cancel()
      CompletionTask(cancelled: LoadError.cancelled, timeline: time.timeline()) {
        () async throws(LoadError) in
        1
      } completion: { (result: Result<Int, LoadError>) in
        if case .failure(let error) = result { kinds.update { $0.append(error.kind) } }
      }.cancel()
    }
    #expect(kinds.value == [.status, .cancelled])
  }

  /// An actor that cancels while a result is on its way to it.
  private actor Screen {
    private(set) var log: [String] = []
    private var task: CompletionTask?

    func begin(_ timeline: Timeline, until end: AsyncStream<Void>) {
      task = CompletionTask(timeline: timeline) {
        for await _ in end { break }
        return 1
      } completion: { result in
        self.assertIsolated()
        self.log.append(CompletionTaskTests.text(result))
      }
    }

    /// Cancels the operation, and returns the results delivered before.
    func cancel() -> [String] {
      task?.cancel()
      return log
    }
  }

  @Test("no result is delivered after the handler's actor has cancelled", arguments: 0..<12)
  func onItsWay(yields: Int) {
    let time = VirtualTime()
    let logs = time.run {
      let timeline = time.timeline()
      let screen = Screen()
      let (end, ending) = AsyncStream.makeStream(of: Void.self)
      await screen.begin(timeline, until: end)
      try? await timeline.sleep(for: .milliseconds(10))
      // The number of yields covers each step of the delivery.
      ending.finish()
      for _ in 0..<yields { await Task.yield() }
      let before = await screen.cancel()
      await time.quiescence()
      return [before, await screen.log]
    }
    #expect(logs == [[], ["CancellationError()"]] || logs == [["1"], ["1"]])
  }

  /// A callback-based function: called on any thread, with a handler on the main actor.
  private nonisolated func load(
    _ value: Int, completion: @escaping @MainActor (Result<Int, any Error>) -> Void
  )
    -> CompletionTask
  {
    CompletionTask {
      value
    } completion: { @MainActor in
      completion($0)
    }
  }

  @Test("a handler isolated to the main actor is called there")
  func mainActor() async {
    let value = await withCheckedContinuation { continuation in
      _ = load(3) { result in
        MainActor.assertIsolated()
        continuation.resume(returning: Self.text(result))
      }
    }
    #expect(value == "3")
  }

  @MainActor
  @Test("the operation and the handler inherit the main actor")
  func inherited() async {
    let value = await withCheckedContinuation { continuation in
      CompletionTask {
        MainActor.assertIsolated()
        return 4
      } completion: { result in
        MainActor.assertIsolated()
        continuation.resume(returning: Self.text(result))
      }
    }
    #expect(value == "4")
  }

  @Test("ten thousand operations, cancelled at any time, call their handlers once", arguments: 0..<10)
  func seeds(seed: Int) {
    var random = SplitMix64(seed: seed)
    let (time, alive) = (VirtualTime(), Shared(0))
    let timeline = time.timeline()
    let logs = (0..<1_000).map { _ in Shared<[String]>([]) }
    for log in logs {
      let (end, cancellation) = (
        Int.random(in: 0...20, using: &random), Int.random(in: 0...40, using: &random)
      )
      let (isStubborn, token) = (Bool.random(using: &random), LifetimeToken(alive))
      let task = CompletionTask(timeline: timeline) {
        _ = token
        do { try await timeline.sleep(for: .milliseconds(end)) } catch { if !isStubborn { throw error } }
        return end
      } completion: { result in
        _ = token
        log.update { $0.append(Self.text(result)) }
      }
      timeline.spawn {
        if cancellation > 0 { try? await timeline.sleep(for: .milliseconds(cancellation)) }
        task.cancel()
        task.cancel()
        await time.quiescence()
        let expected = cancellation < end ? ["CancellationError()"] : ["\(end)"]
        #expect(log.value == expected || cancellation == end && log.value == ["CancellationError()"])
      }
    }
    time.run()
    #expect(alive.value == 0)
    #expect(logs.allSatisfy { $0.value.count == 1 })
  }

  @Test("operations on real threads call their handlers once")
  func threads() async {
    let alive = Shared(0)
    await withTaskGroup { group in
      for number in 0..<4_000 {
        group.addTask {
          var random = SplitMix64(seed: number)
          let (end, cancellation) = (
            Int.random(in: 0...9, using: &random), Int.random(in: 0...20, using: &random)
          )
          let (token, calls) = (LifetimeToken(alive), Shared(0))
          let (results, continuation) = AsyncStream.makeStream(of: String.self)
          let task = CompletionTask {
            _ = token
            for _ in 0..<end { await Task.yield() }
            return end
          } completion: { result in
            _ = token
            calls.update { $0 += 1 }
            continuation.yield(Self.text(result))
            continuation.finish()
          }
          for _ in 0..<cancellation { await Task.yield() }
          task.cancel()
          for await result in results { #expect(result == "\(end)" || result == "CancellationError()") }
          await Task.yield()
          #expect(calls.value == 1)
        }
      }
    }
    while alive.value > 0 { await Task.yield() }
  }
}
