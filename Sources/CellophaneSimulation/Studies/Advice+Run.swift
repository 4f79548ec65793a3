package import Cellophane

/// A part of the simulations behind an ``Advice``.
package struct AdviceStep: Sendable, Hashable {
  /// The purpose of the simulations.
  package enum Stage: Sendable, Hashable {
    /// All candidates under the scenario.
    case policies
    /// The compared candidates under the variations.
    case variations
    /// Sizes of the memory cache.
    case memory
    /// Numbers of concurrent transfers.
    case concurrency
    /// The recommended settings under the variations.
    case robustness
    /// The configured and the recommended settings under new seeds.
    case confirmation
  }

  /// The stage.
  package let stage: Stage
  /// The index of the part in its stage, and the number of these parts.
  package let index, count: Int
  /// The value of the setting, or the changed field and its value.
  package let title: String
}

extension Advice {
  /// Simulates the candidates for `base` and chooses by ``AdviceRule``.
  ///
  /// 1. All candidates play the scenario.
  /// 2. The compared ones play its variations.
  /// 3. The recommended policy plays with other sizes of the memory cache, and then, with the recommended size, with
  ///    other numbers of concurrent transfers.
  /// 4. The recommended settings play under the variations. If only the policy differs, they already have.
  /// 5. The configured and the recommended settings play under the next seeds.
  ///
  /// - Parameter onStep: Called before each part.
  /// - Throws: The errors of `Study.run(timeline:keepsFinished:threads:onCase:)`.
  package static func run(
    on base: SimulationConfiguration, timeline: Timeline = Timeline(),
    onStep: @escaping @Sendable (AdviceStep) -> Void = { _ in }
  ) async throws(LoadError) -> Advice {
    let start = timeline.now
    // The stages have other numbers of replicas than the scenario.
    _ = try Simulation(base)
    var run = AdviceRun(base: base, timeline: timeline, onStep: onStep)
    let candidates = try await run.candidates()
    let conditions = try await run.conditions(candidates)
    var best = base
    best.loader.prefetch = recommended(under: conditions, configured: best.loader.prefetch)
    let memory = try await run.memory(best, candidates)
    best.cache.memoryBytes = memory.recommended
    let concurrency = try await run.concurrency(best, memory)
    best.loader.concurrency = concurrency.recommended
    let effects =
      best == base
      ? [] : try await run.effects(of: best, conditions, known: concurrency.recommendedNumbers)
    let confirmation = best == base ? nil : try await run.confirmation(of: best)
    return Advice(
      on: base, meanBytes: run.meanBytes, candidates: candidates, conditions: conditions,
      replicas: run.replicas, memory: memory, concurrency: concurrency, effects: effects,
      confirmation: confirmation, broken: run.broken, wall: timeline.now - start)
  }
}

/// The simulations of the stages of an ``Advice``.
private struct AdviceRun {
  let base: SimulationConfiguration
  let timeline: Timeline
  let onStep: @Sendable (AdviceStep) -> Void
  /// The mean size of a generated file of the scenario; nil if unknown.
  private(set) var meanBytes: Int?
  /// Descriptions of broken invariants.
  private(set) var broken: [String] = []

  init(
    base: SimulationConfiguration, timeline: Timeline, onStep: @escaping @Sendable (AdviceStep) -> Void
  ) {
    (self.base, self.timeline, self.onStep) = (base, timeline, onStep)
  }

  var replicas: Advice.Replicas { Advice.Replicas(base.replicas) }

  mutating func candidates() async throws(LoadError) -> [Advice.Trial] {
    let rules = Advice.candidates(for: base)
    let study = try Study(sweeping: [("prefetch", rules.map(\.name))]) { values throws(LoadError) in
      var one = try base.prefetching(values[0])
      one.replicas = replicas.scenario
      return one
    }
    let numbers = try await numbers(of: study, .policies)
    return zip(rules, numbers).map { Advice.Trial($0, $1) }
  }

  mutating func conditions(_ candidates: [Advice.Trial]) async throws(LoadError) -> [Advice.Condition] {
    let rules = Advice.compared(of: candidates, configured: base.loader.prefetch)
    let variations = AdviceVariation.all(of: base)
    let titles = variations.map(\.title)
    let changed = Dictionary(zip(titles, variations.map(\.configuration))) { first, _ in first }
    let study = try Study(sweeping: [("variation", titles), ("prefetch", rules.map(\.name))]) {
      values throws(LoadError) in
      var one = try (changed[values[0]] ?? base).prefetching(values[1])
      one.replicas = replicas.variation
      return one
    }
    let numbers = try await numbers(of: study, .variations, together: rules.count)
    let own = candidates.filter { rules.contains($0.prefetch) }
    return [Advice.Condition(nil, own)]
      + variations.enumerated().map { index, variation in
        let part = numbers[index * rules.count..<(index + 1) * rules.count]
        return Advice.Condition(variation, zip(rules, part).map { Advice.Trial($0, $1) })
      }
  }

  /// Tries a quarter, double and four times the memory. A cache above that holds most lists completely.
  mutating func memory(
    _ best: SimulationConfiguration, _ candidates: [Advice.Trial]
  ) async throws(LoadError) -> Advice.Capacity {
    let own = best.cache.memoryBytes
    let known = candidates.first { $0.prefetch == best.loader.prefetch }?.numbers
    let double = own.multipliedReportingOverflow(by: 2)
    let fourfold = own.multipliedReportingOverflow(by: 4)
    let larger = [double, fourfold].filter { !$0.overflow }.map(\.partialValue)
    let replicas = replicas.scenario
    return try await capacity(
      [own / 4] + larger, configured: own, known: known, .memory
    ) { value in
      var one = best
      one.cache.memoryBytes = value
      one.replicas = replicas
      return one
    }
  }

  /// Tries two to twelve transfers: browsers use six per host, and few loaders use more than twelve.
  mutating func concurrency(
    _ best: SimulationConfiguration, _ memory: Advice.Capacity
  ) async throws(LoadError) -> Advice.Capacity {
    let replicas = replicas.scenario
    return try await capacity(
      [2, 4, 6, 8, 12], configured: best.loader.concurrency, known: memory.recommendedNumbers, .concurrency
    ) { value in
      var one = best
      one.loader.concurrency = value
      one.replicas = replicas
      return one
    }
  }

  /// Compares `best` with the scenario under all conditions, in which the configured settings have already played.
  ///
  /// - Parameter known: The numbers of `best` under the scenario; nil if it has not played.
  mutating func effects(
    of best: SimulationConfiguration, _ conditions: [Advice.Condition], known: AdviceNumbers?
  ) async throws(LoadError) -> [Advice.Effect] {
    let configured = base.loader.prefetch
    var onlyPolicy = base
    onlyPolicy.loader.prefetch = best.loader.prefetch
    if onlyPolicy == best {
      return conditions.compactMap {
        Advice.Effect($0, configured: configured, recommended: $0.blank(of: best.loader.prefetch))
      }
    }
    let variations = AdviceVariation.all(of: base)
    guard !variations.isEmpty else {
      return conditions.compactMap {
        Advice.Effect($0, configured: configured, recommended: known?.blank)
      }
    }
    let study = try Study(sweeping: [("condition", variations.map(\.title))]) { [base, replicas] values in
      var one = variations.first { $0.title == values[0] }?.configuration ?? base
      one.replicas = replicas.variation
      (one.loader, one.cache) = (best.loader, best.cache)
      return one
    }
    let blank = [known?.blank] + (try await numbers(of: study, .robustness)).map(\.blank)
    return zip(conditions, blank).compactMap {
      Advice.Effect($0, configured: configured, recommended: $1)
    }
  }

  /// Compares `best` with the scenario under the seeds after those of the scenario.
  mutating func confirmation(of best: SimulationConfiguration) async throws(LoadError) -> Advice.Confirmation?
  {
    let seed = base.seed &+ UInt64(base.replicas)
    let names = ["configured", "recommended"]
    let study = try Study(sweeping: [("settings", names)]) { values in
      var one = values[0] == names[0] ? base : best
      one.seed = seed
      return one
    }
    let result = try await study.run(timeline: timeline) { [onStep] index in
      onStep(AdviceStep(stage: .confirmation, index: index, count: names.count, title: names[index]))
    }
    broken += result.broken
    return Advice.Confirmation(result, seed: seed, duration: base.duration)
  }

  /// Plays the values that are not yet `known`.
  private mutating func capacity(
    _ values: [Int], configured: Int, known: AdviceNumbers?, _ stage: AdviceStep.Stage,
    _ configure: (Int) -> SimulationConfiguration
  ) async throws(LoadError) -> Advice.Capacity {
    let others = Set(values).union([configured]).filter { $0 != configured || known == nil }.sorted()
    let study = try Study(sweeping: [("\(stage)", others.map { "\($0)" })]) {
      configure(Int($0[0]) ?? configured)
    }
    let tried = Array(zip(others, try await numbers(of: study, stage)))
    return Advice.Capacity(
      tried + (known.map { [(configured, $0)] } ?? []), configured: configured)
  }

  /// Plays the cases of `study` and checks their invariants.
  ///
  /// - Parameter together: The number of consecutive cases that are one step.
  private mutating func numbers(
    of study: Study, _ stage: AdviceStep.Stage, together: Int = 1
  ) async throws(LoadError) -> [AdviceNumbers] {
    let played = try await study.outcomes(timeline: timeline) { [onStep] index in
      guard index.isMultiple(of: together) else { return }
      onStep(
        AdviceStep(
          stage: stage, index: index / together, count: study.cases.count / together,
          title: study.cases[index].values[0]))
    }
    if stage == .policies { meanBytes = played.first?.first?.meanBytes }
    return zip(study.cases, played).map { one, outcomes in
      broken += SimulationResult.Invariants(outcomes, one.configuration).brokenWithRepeat
      return AdviceNumbers(outcomes, duration: one.configuration.duration)
    }
  }
}

extension SimulationConfiguration {
  /// Returns the configuration with the prefetch policy `name`.
  fileprivate func prefetching(_ name: String) throws(LoadError) -> SimulationConfiguration {
    var one = self
    one.loader.prefetch = try PrefetchRule(parsing: name)
    return one
  }
}
