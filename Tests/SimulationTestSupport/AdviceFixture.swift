internal import Cellophane
package import CellophaneResults

/// An advice with numbers made by hand.
package enum AdviceFixture {
  /// Returns trials of policies with their blank shares and their megabytes per minute, of which a tenth is unused.
  package static func trials(
    _ values: KeyValuePairs<String, (blank: Double, megabytes: Double)>
  ) throws -> [Advice.Trial] {
    try values.map { name, numbers in
      Advice.Trial(
        try PrefetchRule(parsing: name),
        AdviceNumbers(
          blank: numbers.blank, bytes: numbers.megabytes * 1e6, unused: numbers.megabytes * 1e5))
    }
  }

  /// Returns a capacity from blank shares by value.
  package static func capacity(_ blank: [Int: Double], configured: Int) -> Advice.Capacity {
    Advice.Capacity(
      blank.map { ($0, AdviceNumbers(blank: $1, bytes: 1, unused: 0)) }, configured: configured)
  }

  /// Returns the confirmation of settings whose blank share is smaller by `gain` than the configured one of about 0.07.
  package static func confirmation(gain: Double, replicas: Int = 10) throws -> Advice.Confirmation? {
    let study = try Study(sweeping: [("settings", ["configured", "recommended"])]) { _ in
      SimulationConfiguration()
    }
    let outcomes = [0, gain].map { less in
      (0..<replicas).map { replica in
        let noise = Double(replica % 3) / 100
        // Without noise, there would be nothing to resample.
        let blank = 0.06 + noise - less * (1 + noise)
        let values: [Metric: Double] = [.blankRatio: blank, .bytesDown: 11e6 + 1e8 * less, .wastedBytes: 1e6]
        return ReplicaOutcome(
          seed: UInt64(replica), runs: [.cellophane: ResultFixture.run(waits: [], values)])
      }
    }
    return Advice.Confirmation(
      StudyResult(study, outcomes, wall: .zero), seed: 21, duration: .seconds(60))
  }

  /// A scenario whose policy is `landing`.
  private static var base: SimulationConfiguration {
    var base = SimulationConfiguration()
    base.loader.prefetch = .landing
    return base
  }

  /// Returns an advice to load 16 rows ahead instead of following the flings.
  package static func advice(gain: Double = 0.02, replicas: Int = 10, broken: [String] = []) throws -> Advice
  {
    let base = base
    let candidates = try trials([
      "none": (0.2, 5), "rows:8": (0.08, 10), "rows:16": (0.05, 12), "asdk": (0.0505, 20),
      "landing": (0.07, 11),
    ])
    let slow = AdviceVariation.all(of: base).first { $0.parameter == "network.down_kbps" }
    let conditions = [
      Advice.Condition(nil, candidates.filter { $0.prefetch.name != "screens:2.5,1.5" }),
      Advice.Condition(
        slow,
        try trials([
          "none": (0.4, 5), "rows:8": (0.3, 9), "rows:16": (0.31, 10), "landing": (0.315, 10),
        ])),
    ]
    return Advice(
      on: base, meanBytes: 40_000, candidates: candidates, conditions: conditions,
      replicas: Advice.Replicas(20),
      memory: capacity([0: 0.09, 1 << 20: 0.0505, 2 << 20: 0.05], configured: 2 << 20),
      concurrency: capacity([4: 0.05, 6: 0.07, 8: 0.06], configured: 6),
      effects: zip(conditions, [0.05, 0.317]).compactMap {
        Advice.Effect($0, configured: .landing, recommended: $1)
      }, confirmation: try confirmation(gain: gain, replicas: replicas), broken: broken, wall: .seconds(9))
  }

  /// Returns an advice to keep the configured settings.
  package static func kept(blank: Double = 0.07) throws -> Advice {
    let candidates = try trials(["none": (max(0.2, blank), 5), "landing": (blank, 11)])
    return Advice(
      on: base, meanBytes: nil, candidates: candidates,
      conditions: [Advice.Condition(nil, candidates)], replicas: Advice.Replicas(20),
      memory: capacity([2 << 20: 0.07], configured: 2 << 20), concurrency: capacity([6: 0.07], configured: 6),
      effects: [], confirmation: nil, broken: [], wall: .zero)
  }
}
