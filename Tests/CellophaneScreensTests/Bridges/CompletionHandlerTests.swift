internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Completion handlers as async functions, in virtual time")
struct CompletionHandlerTests {
  private typealias Handler = CompletionHandler<Int, any Error>

  private func outcome(_ start: @escaping @Sendable (Handler) -> (@Sendable () -> Void)?) async -> String {
    do { return try await "\(withCompletionHandler(start))" } catch { return "\(error)" }
  }

  @Test("the first result counts, within the start closure or later, in every form of call")
  func results() async {
    let failure = LoadError(.status, "no")
    #expect(
      await outcome {
        $0(1); return nil
      } == "1")
    #expect(
      await outcome {
        $0(.failure(failure)); return nil
      } == "status: no")
    #expect(
      await outcome {
        $0(1, nil); return nil
      } == "1")
    #expect(
      await outcome {
        $0(nil, failure); return nil
      } == "status: no")
    #expect(
      await outcome {
        $0(1, failure); return nil
      } == "status: no")
    #expect(
      await outcome {
        $0(nil, nil); return nil
      } == "the operation ended without an answer")
    #expect(
      await outcome {
        $0(1); $0(2); $0(.failure(failure)); return nil
      } == "1")
    let time = VirtualTime()
    let later = time.run {
      await outcome { completion in
        time.timeline().spawn {
          try? await time.timeline().sleep(for: .seconds(1))
          completion(1)
          completion(2)
        }
        return nil
      }
    }
    #expect(later == "1" && time.now.nanoseconds == 1_000_000_000)
  }

  @Test("a handler that is released without a call fails the operation as unanswered")
  func unanswered() {
    let time = VirtualTime()
    let outcomes = time.run {
      let atOnce = await outcome { _ in nil }
      let later = await outcome { completion in
        time.timeline().spawn {
          try? await time.timeline().sleep(for: .seconds(1))
          _ = completion
        }
        return nil
      }
      return [atOnce, later]
    }
    #expect(outcomes == Array(repeating: "the operation ended without an answer", count: 2))
    #expect(time.now.nanoseconds == 1_000_000_000)
  }

  @Test("a typed error keeps its type")
  func typed() async {
    func load(_ result: Result<Int, LoadError>?) async throws(LoadError) -> Int {
      try await withCompletionHandler(
        cancelled: LoadError.cancelled, unanswered: LoadError(.timeout, "silent")
      ) {
        if let result { $0(result) }
        return nil
      }
    }
    func kind(_ result: Result<Int, LoadError>?) async -> LoadError.Kind? {
      do { _ = try await load(result); return nil } catch { return error.kind }
    }
    #expect(await kind(.success(1)) == nil)
    #expect(await kind(.failure(LoadError(.status, "no"))) == .status)
    #expect(await kind(nil) == .timeout)
  }

  /// The time at which the task of a conversion is cancelled.
  private enum Cancellation: CaseIterable {
    case before, duringStart, later, afterResult
  }

  @Test(
    "a cancellation cancels the operation once, and later results are ignored",
    arguments: Cancellation.allCases)
  private func cancelling(when: Cancellation) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let (begun, cancels, ended) = (Shared(0), Shared(0), Shared<Duration?>(nil))
    let result = Shared("")
    let task = timeline.spawn {
      if when == .before { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      result.value = await outcome { completion in
        begun.update { $0 += 1 }
        timeline.spawn {
          try? await timeline.sleep(for: .milliseconds(20))
          completion(1)
        }
        if when == .duringStart { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return {
          cancels.update { $0 += 1 }
          // Many operations report a cancellation as an error.
          completion(.failure(LoadError(.status, "cancelled by hand")))
        }
      }
      ended.value = timeline.now
    }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(when == .afterResult ? 30 : 10))
      task.cancel()
      task.cancel()
    }
    time.run()
    #expect(result.value == (when == .afterResult ? "1" : "CancellationError()"))
    #expect(begun.value == (when == .before ? 0 : 1))
    #expect(cancels.value == (when == .later || when == .duringStart ? 1 : 0))
    let milliseconds =
      switch when {
      case .before, .duringStart: 0
      case .later: 10
      case .afterResult: 20
      }
    #expect(ended.value == .milliseconds(milliseconds))
  }

  private actor Screen {
    private final class Log { var lines: [String] = [] }
    private let log = Log()

    func load() async throws -> [String] {
      let value = try await withCompletionHandler { completion in
        // Runs in the isolation of the actor, and uses its log, which is not `Sendable`.
        log.lines.append("began")
        completion(7)
        return nil
      }
      log.lines.append("\(value)")
      return log.lines
    }
  }

  @Test("the operation starts in the caller's isolation")
  func isolation() async throws {
    #expect(try await Screen().load() == ["began", "7"])
  }
}
