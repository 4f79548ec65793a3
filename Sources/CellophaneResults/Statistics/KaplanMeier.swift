/// The product-limit estimate of the distribution of waits with censored values (Kaplan and Meier,
/// JASA 1958). A row that leaves the screen before its image arrives has waited *at least* that long. To drop
/// such waits would favor a loader exactly where it is slowest.
struct KaplanMeier: Sendable, Hashable {
  private struct Step: Hashable {
    let time: Duration
    let surviving: Double
  }

  /// The tolerance of comparisons with a share. A product of fractions has a rounding error of about 10⁻¹⁶
  /// per factor.
  static let rounding = 1e-12

  private let steps: [Step]
  /// The number of waits.
  let count: Int
  /// The number of censored waits.
  let censored: Int
  /// The longest wait, censored or not; nil without waits.
  let longest: Duration?
  /// The longest wait that was not censored; nil if all are.
  let longestObserved: Duration?

  /// Creates the estimate from `waits`. O(d log d), where d is the number of different lengths.
  init(_ waits: WaitHistogram, ticksPerSecond: Int) {
    // Converts each number of ticks by itself: a sum of rounded ticks would drift.
    func duration(_ ticks: Int) -> Duration { .seconds(ticks) / ticksPerSecond }
    let sorted = waits.sorted
    let total = sorted.reduce(0) { $0 + $1.count.ended + $1.count.censored }
    var steps: [Step] = []
    var surviving = 1.0
    var waiting = total
    for (ticks, count) in sorted {
      // A wait that is censored at this time still counts as waiting when others end.
      if count.ended > 0 {
        surviving *= 1 - Double(count.ended) / Double(waiting)
        steps.append(Step(time: duration(ticks), surviving: surviving))
      }
      waiting -= count.ended + count.censored
    }
    self.steps = steps
    count = total
    censored = sorted.reduce(0) { $0 + $1.count.censored }
    longest = sorted.last.map { duration($0.ticks) }
    longestObserved = steps.last?.time
  }

  /// Returns the estimated share of waits longer than `time`, 0...1.
  func surviving(_ time: Duration) -> Double {
    steps.last { $0.time <= time }?.surviving ?? 1
  }

  /// Returns the shortest time in which the share `quantile` of the waits ends. Returns nil if the estimate
  /// does not reach the quantile, which is then only known to exceed ``longest``.
  func quantile(_ quantile: Double) -> Duration? {
    steps.first { $0.surviving <= 1 - quantile + Self.rounding }?.time
  }
}
