/// The product-limit estimate of how a waiting time is distributed, when some waits were cut short (Kaplan
/// and Meier, JASA 1958). A row that leaves the screen before its picture came has waited *at least* that
/// long; dropping it would flatter the loader exactly where it is slowest.
public struct KaplanMeier: Sendable, Hashable {
  /// One wait.
  public struct Wait: Sendable, Hashable {
    /// How long.
    public let duration: Duration
    /// False when it was cut short.
    public let isOver: Bool

    /// A wait of `duration`, ended by what was waited for or cut short.
    public init(_ duration: Duration, isOver: Bool) {
      self.duration = duration
      self.isOver = isOver
    }
  }

  private struct Step: Hashable {
    let time: Duration
    let surviving: Double
  }

  private let steps: [Step]
  /// The number of waits.
  public let count: Int
  /// How many of them were cut short.
  public let censored: Int
  /// The longest wait, cut short or not; nil without any.
  public let longest: Duration?
  /// The longest wait that ended; nil without any.
  public let longestOver: Duration?

  /// The estimate from `waits`. O(n log n).
  public init(_ waits: [Wait]) {
    let sorted = waits.sorted { $0.duration < $1.duration }
    var steps: [Step] = []
    var surviving = 1.0
    var start = 0
    while start < sorted.count {
      let time = sorted[start].duration
      let end = sorted[start...].firstIndex { $0.duration > time } ?? sorted.count
      let over = sorted[start..<end].count(where: \.isOver)
      // Those cut short at this very time still counted as waiting when it came.
      let waiting = sorted.count - start
      if over > 0 {
        surviving *= 1 - Double(over) / Double(waiting)
        steps.append(Step(time: time, surviving: surviving))
      }
      start = end
    }
    self.steps = steps
    count = sorted.count
    censored = sorted.count { !$0.isOver }
    longest = sorted.last?.duration
    longestOver = steps.last?.time
  }

  /// The estimated share of waits longer than `time`, 0...1.
  public func surviving(_ time: Duration) -> Double {
    steps.last { $0.time <= time }?.surviving ?? 1
  }

  /// The shortest time within which the share `quantile` of waits is over, or nil when the estimate never
  /// falls that low: then the quantile is only known to exceed ``longest``.
  public func quantile(_ quantile: Double) -> Duration? {
    // A product of fractions misses a round share by some 10⁻¹⁶ for each factor.
    steps.first { $0.surviving <= 1 - quantile + 1e-12 }?.time
  }
}
