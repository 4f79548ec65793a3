internal import Cellophane

/// The settings of prefetching, memory and concurrency that an advice recommends for a scenario, with the numbers
/// behind them. ``AdviceRule`` states how it chooses.
package struct Advice: Sendable, Hashable {
  /// The name of the JSON schema. A version may gain fields and loses none.
  package static let schema = "cellophane.advice/1"

  /// A prefetch policy under one condition.
  package struct Trial: Sendable, Hashable {
    /// The policy.
    package let prefetch: PrefetchRule
    /// Its numbers.
    package let numbers: AdviceNumbers

    /// Creates the trial of a policy.
    package init(_ prefetch: PrefetchRule, _ numbers: AdviceNumbers) {
      (self.prefetch, self.numbers) = (prefetch, numbers)
    }
  }

  /// A condition under which policies are compared: the scenario, or one of its variations.
  package struct Condition: Sendable, Hashable {
    /// The changed field and its value, as in ``AdviceVariation``; nil for the scenario itself.
    package let change: Change?
    /// The compared policies, in the same order under all conditions.
    package let trials: [Trial]

    /// A changed field and its value.
    package struct Change: Sendable, Hashable, Encodable {
      package let parameter, value: String
    }

    /// Creates a condition; `variation` is nil for the scenario itself.
    package init(_ variation: AdviceVariation?, _ trials: [Trial]) {
      change = variation.map { Change(parameter: $0.parameter, value: $0.value) }
      self.trials = trials
    }

    /// Returns the blank share of a policy; nil if it is not compared.
    package func blank(of policy: PrefetchRule) -> Double? {
      trials.first { $0.prefetch == policy }?.numbers.blank
    }
  }

  /// The blank shares of the configured and of the recommended settings under one condition.
  package struct Effect: Sendable, Hashable, Encodable {
    /// The changed field and its value; nil for the scenario itself.
    package let change: Condition.Change?
    /// The blank share with the configured settings, and with the recommended ones.
    package let configured, recommended: Double

    /// The blank share of the recommended settings minus that of the configured ones.
    package var difference: Double { recommended - configured }

    /// Creates the effect under `condition`; nil if one of the settings has not played.
    ///
    /// - Parameters:
    ///   - configured: The configured policy, which the condition contains.
    ///   - recommended: The blank share of the recommended settings.
    package init?(_ condition: Condition, configured: PrefetchRule, recommended: Double?) {
      guard let own = condition.blank(of: configured), let recommended else { return nil }
      (change, self.configured, self.recommended) = (condition.change, own, recommended)
    }
  }

  /// The sizes of a resource that were tried with the recommended policy.
  package struct Capacity: Sendable, Hashable {
    /// A tried value and its numbers.
    package struct Trial: Sendable, Hashable {
      package let value: Int
      package let numbers: AdviceNumbers
    }

    /// The tried values, in ascending order.
    package let trials: [Trial]
    /// The value of the scenario.
    package let configured: Int
    /// The smallest value whose blank share is within the tolerance of the lowest one.
    package let enough: Int

    /// The configured value if its blank share is within the tolerance of the lowest one, otherwise ``enough``. A
    /// smaller value than the configured one shows no more images, and its costs are not all modeled.
    package var recommended: Int {
      let least = trials.map(\.numbers.blank).min() ?? 0
      let own = trials.first { $0.value == configured }?.numbers.blank ?? .infinity
      return own <= least + AdviceRule.tolerance ? configured : enough
    }

    /// The numbers of ``recommended``; nil if it was not tried.
    package var recommendedNumbers: AdviceNumbers? { trials.first { $0.value == recommended }?.numbers }

    /// Creates the capacity from values with their numbers: at least one, in any order.
    package init(_ tried: [(Int, AdviceNumbers)], configured: Int) {
      let trials = tried.map { Trial(value: $0.0, numbers: $0.1) }.sorted { $0.value < $1.value }
      self.trials = trials
      self.configured = configured
      enough = trials[AdviceRule.enough(trials.map(\.numbers.blank))].value
    }
  }

  /// The comparison of the recommended settings with the configured ones, under seeds that the choice has not used.
  /// Under the seeds of the choice, the chosen settings look better than they are.
  package struct Confirmation: Sendable, Hashable {
    /// The first seed.
    package let seed: UInt64
    /// The numbers of the configured settings.
    package let configured: AdviceNumbers
    /// The numbers of the recommended settings.
    package let recommended: AdviceNumbers
    /// The blank share of the recommended settings minus that of the configured ones.
    package let difference: MetricDifference

    /// The confirmed direction of ``difference``; nil if it may be chance or is too small to matter.
    package var claim: DifferenceFamily.Claim? {
      DifferenceFamily([difference]).claim(difference, in: .metric(.blankRatio))
    }

    /// Takes the numbers of a study whose cases are the configured and the recommended settings; nil for another study.
    package init?(_ result: StudyResult, seed: UInt64, duration: Duration) {
      guard result.cases.count == 2,
        let difference = result.cases[1].metrics[.metric(.blankRatio)]?.difference
      else { return nil }
      self.seed = seed
      configured = AdviceNumbers(result.cases[0], duration: duration)
      recommended = AdviceNumbers(result.cases[1], duration: duration)
      self.difference = difference
    }
  }

  /// The numbers of replicas of an advice, from the number in the scenario. They do not depend on the machine, so that
  /// equal scenarios give equal advice.
  package struct Replicas: Sendable, Hashable, Encodable {
    /// The number for each choice under the scenario. A quarter: the replicas are pairs, so that differences
    /// between settings vary much less than their blank shares.
    package let scenario: Int
    /// The number under each variation. A seventh: the mean regret covers about ten variations.
    package let variation: Int
    /// The number for the comparison with the configured settings, which is the one that the advice states.
    package let confirmation: Int

    /// Creates the numbers from that in the scenario.
    package init(_ replicas: Int) {
      scenario = (replicas + 3) / 4
      variation = (replicas + 6) / 7
      confirmation = replicas
    }
  }

  /// The tool that gave the advice.
  package let tool: SimulationTool
  /// The command that repeats the advice; nil if the caller set none.
  package var reproduce: String?
  /// The command that plays the recommended settings; nil if the caller set none.
  package var command: String?
  /// The scenario, with all derived values.
  package let config: SimulationConfiguration
  /// All candidates under the scenario, in the order in which they were tried.
  package let candidates: [Trial]
  /// The scenario and its variations with the compared candidates; the scenario first.
  package let conditions: [Condition]
  /// The numbers of replicas.
  package let replicas: Replicas
  /// The memory cache, in bytes.
  package let memory: Capacity
  /// The number of concurrent transfers.
  package let concurrency: Capacity
  /// The blank shares of the recommended and the configured settings under all conditions; empty if these are equal.
  package let effects: [Effect]
  /// The comparison with the configured settings; nil if these are recommended.
  package let confirmation: Confirmation?
  /// Descriptions of broken invariants.
  package let broken: [String]
  /// The duration of all simulations, in seconds of real time.
  package let wallSeconds: Double

  /// Creates the advice from the numbers of all stages.
  ///
  /// - Parameters:
  ///   - base: The scenario.
  ///   - meanBytes: The mean size of a generated file of the scenario; nil if unknown.
  package init(
    on base: SimulationConfiguration, meanBytes: Int?, candidates: [Trial], conditions: [Condition],
    replicas: Replicas, memory: Capacity, concurrency: Capacity, effects: [Effect],
    confirmation: Confirmation?,
    broken: [String], wall: Duration
  ) {
    tool = SimulationTool()
    config = StudyResult.completed(base, meanBytes: meanBytes)
    (self.candidates, self.conditions) = (candidates, conditions)
    self.replicas = replicas
    (self.memory, self.concurrency) = (memory, concurrency)
    (self.effects, self.confirmation, self.broken) = (effects, confirmation, broken)
    wallSeconds = wall.seconds
  }
}
