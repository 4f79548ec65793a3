import Cellophane
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough) struct AdviceRunTests {
  @Test func `an advice plays all stages, and equal scenarios give equal advice`() async throws {
    let base = StudyFixture.short
    let steps = Notes<AdviceStep>()
    let advice = try await Advice.run(on: base) { steps.add($0) }
    #expect(advice.candidates.map(\.prefetch) == Advice.candidates(for: base))
    let variations = AdviceVariation.all(of: base)
    #expect(advice.conditions.count == 1 + variations.count)
    #expect(advice.conditions[0].change == nil)
    #expect(advice.conditions.dropFirst().map(\.change?.value) == variations.map(\.value))
    #expect(Set(advice.conditions.map { $0.trials.map(\.prefetch) }).count == 1)
    #expect(advice.conditions[0].trials.contains { $0.prefetch == base.loader.prefetch })
    #expect(advice.memory.trials.map(\.value) == [1, 4, 8, 16].map { $0 << 19 })
    #expect(advice.concurrency.trials.map(\.value) == [2, 4, 6, 8, 12])
    #expect(advice.broken == [])
    #expect(advice.config.list.meanBytes ?? 0 > 0)

    let again = try await Advice.run(on: base)
    #expect(again.candidates == advice.candidates && again.conditions == advice.conditions)
    #expect(again.memory == advice.memory && again.concurrency == advice.concurrency)
    #expect(again.confirmation == advice.confirmation && again.effects == advice.effects)

    let stages = Dictionary(grouping: steps.all, by: \.stage)
    #expect(stages[.policies]?.map(\.index) == Array(0..<10) && stages[.policies]?.last?.count == 10)
    #expect(stages[.variations]?.map(\.index) == Array(variations.indices))
    #expect(stages[.variations]?.first?.title == "gesture.profile reader")
    // The configured values have been played before.
    #expect(stages[.memory]?.count == 3 && stages[.concurrency]?.count == 4)
  }

  @Test func `each number is that of the same run alone`() async throws {
    var base = StudyFixture.short
    base.replicas = 8
    base.network.profile = .presets.first { $0.name == "lh-slow4g" } ?? base.network.profile
    let advice = try await Advice.run(on: base)
    func numbers(_ change: (inout SimulationConfiguration) -> Void) async throws -> AdviceNumbers {
      var one = base
      change(&one)
      let metrics = try await Simulation(one).run().metrics
      return AdviceNumbers(
        blank: metrics[.blankRatio].mean ?? -1, bytes: (metrics[.bytesDown].mean ?? -1) * 30,
        unused: (metrics[.wastedBytes].mean ?? -1) * 30)
    }
    func expect(_ found: AdviceNumbers?, _ expected: AdviceNumbers, _ name: Comment) {
      guard let found else {
        Issue.record(name)
        return
      }
      for path in [\AdviceNumbers.blank, \.bytes, \.unused] {
        let (one, other) = (found[keyPath: path], expected[keyPath: path])
        #expect(abs(one - other) <= 1e-9 * max(1, other), name)
      }
    }
    expect(
      advice.candidates[2].numbers,
      try await numbers {
        $0.loader.prefetch = .rows(8)
        $0.replicas = 2
      }, "candidate")
    let variation = try #require(AdviceVariation.all(of: base).last)
    let trial = try #require(advice.conditions.last?.trials.first)
    expect(
      trial.numbers,
      try await numbers {
        $0 = variation.configuration
        $0.loader.prefetch = trial.prefetch
        $0.replicas = 2
      }, "variation")
    expect(
      advice.memory.trials[0].numbers,
      try await numbers {
        $0.loader.prefetch = advice.recommended
        $0.cache.memoryBytes = 1 << 19
        $0.replicas = 2
      }, "memory")
    func best(_ one: inout SimulationConfiguration) {
      one.loader.prefetch = advice.recommended
      one.cache.memoryBytes = advice.memory.recommended
    }
    expect(
      advice.concurrency.trials[0].numbers,
      try await numbers {
        best(&$0)
        $0.loader.concurrency = 2
        $0.replicas = 2
      }, "concurrency")
    let effect = try #require(advice.effects.last)
    #expect(advice.effects.count == advice.conditions.count && effect.change?.value == variation.value)
    let recommended = try await numbers {
      $0 = variation.configuration
      best(&$0)
      $0.loader.concurrency = advice.concurrency.recommended
      $0.replicas = 2
    }
    #expect(abs(effect.recommended - recommended.blank) < 1e-9)
    let confirmation = try #require(advice.confirmation)
    // The seeds after those of the scenario.
    #expect(confirmation.seed == 9)
    expect(
      confirmation.recommended,
      try await numbers {
        best(&$0)
        $0.loader.concurrency = advice.concurrency.recommended
        $0.seed = 9
      }, "confirmation")
  }

  @Test func `without memory, no size of it is tried`() async throws {
    var base = StudyFixture.short
    base.duration = .seconds(1)
    base.replicas = 1
    base.cache.memoryBytes = 0
    base.seed = .max
    let advice = try await Advice.run(on: base)
    #expect(advice.memory.trials.map(\.value) == [0] && advice.memory.recommended == 0)
  }

  @Test func `an invalid scenario is rejected before its first run`() async throws {
    var base = StudyFixture.short
    base.loader.concurrency = 0
    let steps = Notes<AdviceStep>()
    await #expect(throws: LoadError.self) { try await Advice.run(on: base) { steps.add($0) } }
    #expect(steps.all == [])
  }
}
