/// The distribution of waits, some of which were cut short, as the cumulative incidence: the share of all waits that ended
/// within a time.
///
/// A row that leaves the screen before its image arrives has never shown it. The slowness that delays images also makes rows
/// leave without them, so leaving is a competing event. The Kaplan-Meier estimate assumes independent censoring instead
/// (Satagopan et al., British Journal of Cancer 91, 2004). A wait that the end of the run cuts short counts in the same way.
/// The share never exceeds that of the waits that ended.
struct WaitDistribution: Sendable, Hashable {
  private struct Step: Hashable {
    let time: Duration
    /// The number of waits that ended by this time.
    let ended: Int
  }

  private let steps: [Step]
  /// The number of waits.
  let count: Int
  /// The number of waits that were cut short.
  let cutShort: Int
  /// The longest wait, cut short or not; nil without waits.
  let longest: Duration?

  /// The longest wait that ended; nil if none did.
  var longestEnded: Duration? { steps.last?.time }

  /// Creates the distribution of `waits`. O(d log d), where d is the number of different lengths.
  init(_ waits: WaitHistogram, ticksPerSecond: Int) {
    // Converts each number of ticks by itself: a sum of rounded ticks would drift.
    func duration(_ ticks: Int) -> Duration { .seconds(ticks) / ticksPerSecond }
    let sorted = waits.sorted
    var ended = 0
    var steps: [Step] = []
    for (ticks, count) in sorted where count.ended > 0 {
      ended += count.ended
      steps.append(Step(time: duration(ticks), ended: ended))
    }
    self.steps = steps
    cutShort = sorted.reduce(0) { $0 + $1.count.cutShort }
    count = ended + cutShort
    longest = sorted.last.map { duration($0.ticks) }
  }

  /// Returns the share of the waits that ended within `time`, 0...1; 0 without waits.
  func ended(within time: Duration) -> Double {
    let ended = steps.last { $0.time <= time }?.ended ?? 0
    return count > 0 ? Double(ended) / Double(count) : 0
  }

  /// Returns the shortest time within which the share `quantile` of all waits ended; nil if a smaller share ever did.
  func quantile(_ quantile: Double) -> Duration? {
    // The tolerance covers the rounding error of the product: 0.07 · 100 is above 7.
    steps.first { Double($0.ended) >= quantile * Double(count) * (1 - 1e-9) }?.time
  }
}
