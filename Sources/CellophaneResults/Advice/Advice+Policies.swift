extension Advice {
  /// The regret of a policy over all conditions, as differences of blank shares.
  package struct Regret: Sendable, Hashable {
    /// The mean over the conditions.
    package let mean: Double
    /// The largest one.
    package let worst: Double
    /// The condition of the largest one, as an index of ``Advice/conditions``.
    package let worstCondition: Int
    /// The number of conditions in which it is at most ``AdviceRule/tolerance``.
    package let nearBest: Int
  }

  /// The regret of each compared policy.
  package var regrets: [PrefetchRule: Regret] { Self.regrets(under: conditions) }

  /// The recommended policy.
  package var recommended: PrefetchRule {
    Self.recommended(under: conditions, configured: config.loader.prefetch)
  }

  /// The policies on the frontier of blank share and bytes.
  package var frontier: Set<PrefetchRule> {
    Set(AdviceRule.frontier(of: candidates.map(\.numbers)).map { candidates[$0].prefetch })
  }

  /// Returns the candidates for a scenario: no prefetching, numbers of rows from a few to several screens, Texture's
  /// range, Cellophane's policy, and the configured one.
  package static func candidates(for base: SimulationConfiguration) -> [PrefetchRule] {
    let usual: [PrefetchRule] =
      [.none] + [4, 8, 12, 16, 24, 32].map { .rows($0) }
      + [.rows(8, screens: 2.5), .screens(leading: 2.5, trailing: 1.5), .landing]
    return usual.contains(base.loader.prefetch) ? usual : usual + [base.loader.prefetch]
  }

  /// Returns the policies that are compared under the variations, from all candidates under the scenario.
  package static func compared(of candidates: [Trial], configured: PrefetchRule) -> [PrefetchRule] {
    guard let index = candidates.firstIndex(where: { $0.prefetch == configured }) else { return [] }
    return AdviceRule.compared(of: candidates.map(\.numbers), configured: index).map {
      candidates[$0].prefetch
    }
  }

  /// Returns the recommended policy under `conditions`, of which the first is the scenario; `configured` without any.
  package static func recommended(under conditions: [Condition], configured: PrefetchRule) -> PrefetchRule {
    guard let base = conditions.first?.trials, !base.isEmpty else { return configured }
    let regrets = regrets(under: conditions)
    let index = AdviceRule.choice(
      regrets: base.map { regrets[$0.prefetch]?.mean ?? .infinity }, bytes: base.map(\.numbers.bytes),
      configured: base.firstIndex { $0.prefetch == configured })
    return base[index].prefetch
  }

  private static func regrets(under conditions: [Condition]) -> [PrefetchRule: Regret] {
    let all = conditions.map { AdviceRule.regrets($0.trials.map(\.numbers.blank)) }
    var found: [PrefetchRule: Regret] = [:]
    for (column, trial) in (conditions.first?.trials ?? []).enumerated() {
      let own = all.map { $0[column] }
      let worst = own.max() ?? 0
      found[trial.prefetch] = Regret(
        mean: own.reduce(0, +) / Double(own.count), worst: worst,
        worstCondition: own.firstIndex(of: worst) ?? 0,
        nearBest: own.count { $0 <= AdviceRule.tolerance })
    }
    return found
  }
}
