/// A mapping of numbers to shades, linear from the best number to a worse one.
///
/// Numbers with the same text have the same shade. The scale is at least ``narrowest`` wide, so that a small difference
/// is not a difference between the weakest and the strongest shade.
struct HeatScale: Sendable {
  /// The number with the weakest shade, and the worst number.
  let best, worst: Double
  /// The number with the strongest shade: the worst number, or a worse one.
  let end: Double
  /// One number of those with the same text.
  private let numbers: [String: Double]
  private let format: @Sendable (Double) -> String

  /// The smallest width of a scale, as a share of its largest number. A fifth: one of seven shades is then 3 %.
  private static let narrowest = 0.2

  /// Creates a scale over `values`, or nil if fewer than two of them have different texts. Without a better direction,
  /// the lowest value gets the weakest shade.
  init?(
    _ values: some Sequence<Double>, better: Metric.Direction?, format: @escaping @Sendable (Double) -> String
  ) {
    let known = values.filter(\.isFinite).sorted()
    guard let lowest = known.first, let highest = known.last, format(lowest) != format(highest) else {
      return nil
    }
    self.format = format
    numbers = Dictionary(known.map { (format($0), $0) }) { first, _ in first }
    (best, worst) = better == .higher ? (highest, lowest) : (lowest, highest)
    let width = max(highest - lowest, Self.narrowest * max(abs(lowest), abs(highest)))
    end = better == .higher ? best - width : best + width
  }

  /// Returns the index of the shade of `value` among `count` shades: 0 for the best number, the last one for
  /// ``end``.
  func shade(of value: Double, among count: Int) -> Int {
    let value = numbers[format(value)] ?? value
    let share = (value - best) / (end - best)
    return min(count - 1, Int(min(max(share, 0), 1) * Double(count)))
  }
}

extension StudyResult {
  /// Returns the scale of `number` over all cases; nil if all cases have the same text.
  func heatScale(of number: StudyNumber) -> HeatScale? {
    HeatScale(
      cases.compactMap { $0.metrics[number.path]?.mean }, better: number.path.better, format: number.format)
  }
}
