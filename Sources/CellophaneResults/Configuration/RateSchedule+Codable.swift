internal import Cellophane
package import CellophaneNetwork

/// The rates of a trace in a scenario: a number of kbit/s for each interval.
extension RateSchedule: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case interval = "interval_ms"
    case period = "period_ms"
    case rates = "kbps"
  }

  /// The accepted durations of an interval, and of the period, in ms.
  private static let durations = 1.0...86_400_000
  /// The accepted rates, in kbit/s.
  private static let kilobits = 0.0...100_000_000

  /// Decodes a schedule. The default of the interval is a second, that of the period the sum of all intervals.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first invalid field.
  package init(from decoder: any Decoder) throws {
    let fields = try ScenarioFields<CodingKeys>(decoder)
    func nanoseconds(_ key: CodingKeys) throws -> Int64? {
      guard let value = try fields.value(key, Double.self) else { return nil }
      guard Self.durations.contains(value) else {
        throw fields.error(key, ScenarioField.rangeReason(Self.durations, not: value))
      }
      return Int64((value * 1e6).rounded())
    }
    let interval = try nanoseconds(.interval) ?? 1_000_000_000
    let period = try nanoseconds(.period)
    guard let kilobits = try fields.value(.rates, [Double].self) else {
      throw fields.error(.rates, "is missing")
    }
    guard kilobits.count <= Self.maxIntervals else {
      throw fields.error(.rates, "has \(kilobits.count) rates; the limit is \(Self.maxIntervals)")
    }
    if let wrong = kilobits.first(where: { !Self.kilobits.contains($0) }) {
      throw fields.error(.rates, "each rate " + ScenarioField.rangeReason(Self.kilobits, not: wrong))
    }
    let rates = kilobits.map { Int64(($0 * 1_000).rounded()) }
    guard rates.contains(where: { $0 > 0 }) else {
      throw fields.error(.rates, "must have a rate above 0, or nothing ever arrives")
    }
    // 128 bits: the largest product is 180 000 days.
    let before = Int128(interval) * Int128(rates.count - 1)
    let end = period.map { Int128($0) } ?? before + Int128(interval)
    guard end > before, end <= Int128(Self.maxPeriod) else {
      throw fields.error(
        .period, "must be longer than all intervals but the last, and at most a day (86400000)")
    }
    self.init(rates, interval: interval, period: period)
  }

  /// Encodes the format that ``init(from:)`` decodes.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Double(interval) / 1e6, forKey: .interval)
    try container.encode(Double(period) / 1e6, forKey: .period)
    try container.encode(rates.map { Double($0) / 1_000 }, forKey: .rates)
  }
}
