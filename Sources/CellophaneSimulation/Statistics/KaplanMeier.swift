/// The product-limit estimate of how a waiting time is distributed, when some waits were cut short (Kaplan
/// and Meier, JASA 1958). A row that leaves the screen before its picture came has waited *at least* that
/// long; dropping it would flatter the loader exactly where it is slowest.
struct KaplanMeier: Sendable, Hashable {
  private struct Step: Hashable {
    let time: Duration
    let surviving: Double
  }

  /// A product of fractions misses a round share by some 10⁻¹⁶ for each factor.
  static let rounding = 1e-12

  private let steps: [Step]
  /// The number of waits.
  let count: Int
  /// How many of them were cut short.
  let censored: Int
  /// The longest wait, cut short or not; nil without any.
  let longest: Duration?
  /// The longest wait that ended; nil without any.
  let longestOver: Duration?

  /// The estimate from `waits`, whose ticks are so many a second. O(d log d), d the number of different lengths.
  init(_ waits: WaitHistogram, ticksPerSecond: Int) {
    // Not a number of rounded ticks, which would drift.
    func duration(_ ticks: Int) -> Duration { .seconds(ticks) / ticksPerSecond }
    let sorted = waits.sorted
    let total = sorted.reduce(0) { $0 + $1.count.over + $1.count.cut }
    var steps: [Step] = []
    var surviving = 1.0
    var waiting = total
    for (ticks, count) in sorted {
      // Those cut short at this very time still counted as waiting when it came.
      if count.over > 0 {
        surviving *= 1 - Double(count.over) / Double(waiting)
        steps.append(Step(time: duration(ticks), surviving: surviving))
      }
      waiting -= count.over + count.cut
    }
    self.steps = steps
    count = total
    censored = sorted.reduce(0) { $0 + $1.count.cut }
    longest = sorted.last.map { duration($0.ticks) }
    longestOver = steps.last?.time
  }

  /// The estimated share of waits longer than `time`, 0...1.
  func surviving(_ time: Duration) -> Double {
    steps.last { $0.time <= time }?.surviving ?? 1
  }

  /// The shortest time within which the share `quantile` of waits is over, or nil when the estimate never
  /// falls that low: then the quantile is only known to exceed ``longest``.
  func quantile(_ quantile: Double) -> Duration? {
    steps.first { $0.surviving <= 1 - quantile + Self.rounding }?.time
  }
}
