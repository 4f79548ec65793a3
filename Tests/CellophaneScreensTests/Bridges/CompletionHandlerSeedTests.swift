internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport
internal import Testing

@Suite("Ten thousand random completion handlers, cancelled at random times")
struct CompletionHandlerSeedTests {
  /// The end of one operation and the time of its cancellation, in milliseconds.
  private struct Script {
    enum Ending: CaseIterable {
      case value, error, twice, released
    }

    let ending: Ending
    /// The time of the result. Zero: within the start closure.
    let end: Int
    /// The time of the cancellation. Zero: before the operation starts.
    let cancellation: Int?

    init(_ random: inout SplitMix64) {
      ending = Ending.allCases.randomElement(using: &random) ?? .value
      end = Int.random(in: 0...20, using: &random)
      cancellation = Bool.random(using: &random) ? Int.random(in: 0...25, using: &random) : nil
    }

    /// The expected outcome; nil if the result and the cancellation have the same time. Both are then correct.
    var outcome: String? {
      if cancellation == 0 { return "cancelled" }
      if let cancellation, cancellation == end { return nil }
      if let cancellation, cancellation < end { return "cancelled" }
      return answered
    }

    /// The outcome without a cancellation.
    var answered: String {
      switch ending {
      case .value, .twice: "value"
      case .error: "error"
      case .released: "unanswered"
      }
    }
  }

  /// A callback-based operation: an object that keeps its handler until it ends.
  private final class Operation: Sendable {
    private let completion: Shared<CompletionHandler<Int, any Error>?>
    let cancels = Shared(0)

    init(_ completion: CompletionHandler<Int, any Error>) { self.completion = Shared(completion) }

    func end(_ ending: Script.Ending) {
      let completion = completion.value
      self.completion.value = nil
      switch ending {
      case .value: completion?(1)
      case .error: completion?(.failure(LoadError(.status, "no")))
      case .twice:
        completion?(1)
        completion?(2)
      case .released: break
      }
    }
  }

  private static func outcome(of body: () async throws -> Int) async -> String {
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

  /// One conversion in virtual time, with its outcomes and the cancellations of its operation.
  private struct Run {
    let script: Script
    let outcomes = Shared<[String]>([])
    let cancels = Shared(0)

    func begin(on timeline: Timeline, _ alive: Shared<Int>) {
      let task = timeline.spawn { [self] in
        let outcome = await CompletionHandlerSeedTests.outcome {
          try await withCompletionHandler { completion in
            let operation = Operation(completion)
            let token = LifetimeToken(alive)
            if script.end == 0 {
              operation.end(script.ending)
            } else {
              timeline.spawn {
                try? await timeline.sleep(for: .milliseconds(script.end))
                operation.end(script.ending)
                _ = token
              }
            }
            return {
              cancels.update { $0 += 1 }
              _ = token
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

    /// Whether the conversion ended once and as its script says.
    var isCorrect: Bool {
      guard outcomes.value.count == 1, let outcome = outcomes.value.first else { return false }
      let isExpected =
        script.outcome.map { $0 == outcome } ?? [script.answered, "cancelled"].contains(outcome)
      return isExpected && cancels.value == (outcome == "cancelled" && script.cancellation != 0 ? 1 : 0)
    }
  }

  @Test("each conversion ends once, as scripted, and releases everything", arguments: 0..<10)
  func virtual(seed: Int) {
    var random = SplitMix64(seed: seed)
    let alive = Shared(0)
    for batch in 0..<20 {
      let time = VirtualTime()
      let runs = (0..<50).map { _ in Run(script: Script(&random)) }
      for run in runs { run.begin(on: time.timeline(), alive) }
      time.run()
      for run in runs where !run.isCorrect {
        Issue.record(
          "seed \(seed), batch \(batch), \(run.script): \(run.outcomes.value), cancelled \(run.cancels.value) times"
        )
      }
      #expect(alive.value == 0)
    }
  }

  @Test(
    "conversions on real threads end once, even if cancelled during the start or the result", arguments: 0..<4
  )
  func threads(seed: Int) async {
    let alive = Shared(0)
    await withTaskGroup { group in
      for number in 0..<1_000 {
        group.addTask {
          var random = SplitMix64(seed: seed * 1_000 + number)
          let script = Script(&random)
          let (begun, cancels) = (Shared(0), Shared(0))
          let task = Task.detached {
            await Self.outcome {
              try await withCompletionHandler { completion in
                begun.value = 1
                let operation = Operation(completion)
                let token = LifetimeToken(alive)
                if script.end < 5 {
                  operation.end(script.ending)
                } else {
                  Task.detached {
                    for _ in 0..<script.end { await Task.yield() }
                    operation.end(script.ending)
                    _ = token
                  }
                }
                return {
                  cancels.update { $0 += 1 }
                  _ = token
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
    // Operations that end late are released as well, some of them a little later.
    while alive.value > 0 { await Task.yield() }
  }
}
