internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Ten thousand conversions of completion handlers, with cancellation at any time")
struct CompletionHandlerSeedTests {
  /// What one operation does, and when it is cancelled, in milliseconds.
  private struct Script {
    enum Way: CaseIterable {
      case value, error, twice, letGo
    }

    let way: Way
    /// Zero is from inside.
    let answer: Int
    /// Zero is before it begins.
    let cancellation: Int?

    init(_ random: inout SplitMix64) {
      way = Way.allCases.randomElement(using: &random) ?? .value
      answer = Int.random(in: 0...20, using: &random)
      cancellation = Bool.random(using: &random) ? Int.random(in: 0...25, using: &random) : nil
    }

    /// What comes of it. Nil where both come in one instant, and either is right.
    var outcome: String? {
      if cancellation == 0 { return "cancelled" }
      if let cancellation, cancellation == answer { return nil }
      if let cancellation, cancellation < answer { return "cancelled" }
      return answered
    }

    var answered: String {
      switch way {
      case .value, .twice: "value"
      case .error: "error"
      case .letGo: "unanswered"
      }
    }
  }

  /// An operation as others have them: an object that keeps its handler until it has ended.
  private final class Operation: Sendable {
    private let completion: Shared<CompletionHandler<Int, any Error>?>
    let cancels = Shared(0)

    init(_ completion: CompletionHandler<Int, any Error>) { self.completion = Shared(completion) }

    func end(_ way: Script.Way) {
      let completion = completion.value
      self.completion.value = nil
      switch way {
      case .value: completion?(1)
      case .error: completion?(.failure(LoadError(.status, "no")))
      case .twice:
        completion?(1)
        completion?(2)
      case .letGo: break
      }
    }
  }

  private static func word(_ body: () async throws -> Int) async -> String {
    do {
      return try await body() == 1 ? "value" : "the second value"
    } catch is CancellationError {
      return "cancelled"
    } catch is UnansweredError {
      return "unanswered"
    } catch {
      return "error"
    }
  }

  /// One conversion in virtual time, and what has become of it.
  private struct Run {
    let script: Script
    let outcomes = Shared<[String]>([])
    let cancels = Shared(0)

    func begin(on timeline: Timeline, _ alive: Shared<Int>) {
      let task = timeline.spawn { [self] in
        let outcome = await CompletionHandlerSeedTests.word {
          try await withCompletionHandler { completion in
            let operation = Operation(completion)
            let trace = Trace(alive)
            if script.answer == 0 {
              operation.end(script.way)
            } else {
              timeline.spawn {
                try? await timeline.sleep(for: .milliseconds(script.answer))
                operation.end(script.way)
                _ = trace
              }
            }
            return {
              cancels.update { $0 += 1 }
              _ = trace
            }
          }
        }
        outcomes.update { $0.append(outcome) }
      }
      guard let cancellation = script.cancellation else { return }
      if cancellation == 0 { return task.cancel() }
      timeline.spawn {
        try? await timeline.sleep(for: .milliseconds(cancellation))
        task.cancel()
      }
    }

    /// True when it has ended once and as its script says.
    var isRight: Bool {
      guard outcomes.value.count == 1, let outcome = outcomes.value.first else { return false }
      let isExpected =
        script.outcome.map { $0 == outcome } ?? [script.answered, "cancelled"].contains(outcome)
      return isExpected && cancels.value == (outcome == "cancelled" && script.cancellation != 0 ? 1 : 0)
    }
  }

  @Test("each ends once, as its script says, and leaves nothing", arguments: 0..<10)
  func virtual(seed: Int) {
    var random = SplitMix64(seed: seed)
    let alive = Shared(0)
    for batch in 0..<20 {
      let time = VirtualTime()
      let runs = (0..<50).map { _ in Run(script: Script(&random)) }
      for run in runs { run.begin(on: time.timeline(), alive) }
      time.run()
      for run in runs where !run.isRight {
        Issue.record("\(seed) \(batch) \(run.script): \(run.outcomes.value) \(run.cancels.value)")
      }
      #expect(alive.value == 0)
    }
  }

  @Test("the same on real threads, cancelled while they begin and answer", arguments: 0..<4)
  func threads(seed: Int) async {
    let alive = Shared(0)
    await withTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          var random = SplitMix64(seed: seed * 1_000 + number)
          let script = Script(&random)
          let (begun, cancels) = (Shared(0), Shared(0))
          let task = Task.detached {
            await Self.word {
              try await withCompletionHandler { completion in
                begun.value = 1
                let operation = Operation(completion)
                let trace = Trace(alive)
                if script.answer < 5 {
                  operation.end(script.way)
                } else {
                  Task.detached {
                    for _ in 0..<script.answer { await Task.yield() }
                    operation.end(script.way)
                    _ = trace
                  }
                }
                return {
                  cancels.update { $0 += 1 }
                  _ = trace
                }
              }
            }
          }
          if let cancellation = script.cancellation {
            for _ in 0..<cancellation { await Task.yield() }
            task.cancel()
          }
          let outcome = await task.value
          #expect(outcome == script.answered || outcome == "cancelled" && script.cancellation != nil)
          #expect(cancels.value == (outcome == "cancelled" ? begun.value : 0))
        }
      }
    }
    // What answers late has gone as well, or goes soon.
    while alive.value > 0 { await Task.yield() }
  }
}
