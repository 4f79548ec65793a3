internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Completion handlers as async functions, in virtual time")
struct CompletionHandlerTests {
  private typealias Handler = CompletionHandler<Int, any Error>

  private func answer(_ start: @escaping @Sendable (Handler) -> (@Sendable () -> Void)?) async -> String {
    do { return try await "\(withCompletionHandler(start))" } catch { return "\(error)" }
  }

  @Test("the first answer counts, from inside or later, in any form")
  func answers() async {
    let failure = LoadError(.status, "no")
    #expect(
      await answer {
        $0(1); return nil
      } == "1")
    #expect(
      await answer {
        $0(.failure(failure)); return nil
      } == "status: no")
    #expect(
      await answer {
        $0(1, nil); return nil
      } == "1")
    #expect(
      await answer {
        $0(nil, failure); return nil
      } == "status: no")
    #expect(
      await answer {
        $0(1, failure); return nil
      } == "status: no")
    #expect(
      await answer {
        $0(nil, nil); return nil
      } == "the operation ended without an answer")
    #expect(
      await answer {
        $0(1); $0(2); $0(.failure(failure)); return nil
      } == "1")
    let time = VirtualTime()
    let later = time.run {
      await answer { completion in
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

  @Test("a handler that is let go without a call is an error, and no wait for ever")
  func unanswered() {
    let time = VirtualTime()
    let answers = time.run {
      let atOnce = await answer { _ in nil }
      let later = await answer { completion in
        time.timeline().spawn {
          try? await time.timeline().sleep(for: .seconds(1))
          _ = completion
        }
        return nil
      }
      return [atOnce, later]
    }
    #expect(answers == Array(repeating: "the operation ended without an answer", count: 2))
    #expect(time.now.nanoseconds == 1_000_000_000)
  }

  @Test("errors of one type stay of it")
  func typed() async {
    func load(_ answer: Result<Int, LoadError>?) async throws(LoadError) -> Int {
      try await withCompletionHandler(
        cancelled: LoadError.cancelled, unanswered: LoadError(.timeout, "silent")
      ) {
        if let answer { $0(answer) }
        return nil
      }
    }
    func kind(_ answer: Result<Int, LoadError>?) async -> LoadError.Kind? {
      do { _ = try await load(answer); return nil } catch { return error.kind }
    }
    #expect(await kind(.success(1)) == nil)
    #expect(await kind(.failure(LoadError(.status, "no"))) == .status)
    #expect(await kind(nil) == .timeout)
  }

  /// When the task of a conversion is cancelled.
  private enum Cancellation: CaseIterable {
    case before, whileItBegins, later, afterTheAnswer
  }

  @Test("cancelling cancels the operation once, and no answer lands later", arguments: Cancellation.allCases)
  private func cancelling(when: Cancellation) {
    let time = VirtualTime()
    let timeline = time.timeline()
    let (begun, cancels, ended) = (Shared(0), Shared(0), Shared<Duration?>(nil))
    let result = Shared("")
    let task = timeline.spawn {
      if when == .before { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      result.value = await answer { completion in
        begun.update { $0 += 1 }
        timeline.spawn {
          try? await timeline.sleep(for: .milliseconds(20))
          completion(1)
        }
        if when == .whileItBegins { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        return {
          cancels.update { $0 += 1 }
          // As many operations do.
          completion(.failure(LoadError(.status, "cancelled by hand")))
        }
      }
      ended.value = timeline.now
    }
    timeline.spawn {
      try? await timeline.sleep(for: .milliseconds(when == .afterTheAnswer ? 30 : 10))
      task.cancel()
      task.cancel()
    }
    time.run()
    #expect(result.value == (when == .afterTheAnswer ? "1" : "CancellationError()"))
    #expect(begun.value == (when == .before ? 0 : 1))
    #expect(cancels.value == (when == .later || when == .whileItBegins ? 1 : 0))
    let milliseconds =
      switch when {
      case .before, .whileItBegins: 0
      case .later: 10
      case .afterTheAnswer: 20
      }
    #expect(ended.value == .milliseconds(milliseconds))
  }

  private actor Screen {
    private final class Log { var lines: [String] = [] }
    private let log = Log()

    func load() async throws -> [String] {
      let value = try await withCompletionHandler { completion in
        // In its isolation, with what only that has.
        log.lines.append("began")
        completion(7)
        return nil
      }
      log.lines.append("\(value)")
      return log.lines
    }
  }

  @Test("the operation begins in the caller's isolation")
  func isolation() async throws {
    #expect(try await Screen().load() == ["began", "7"])
  }
}
