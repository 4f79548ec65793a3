public import Cellophane

/// A condition on a result: `blank_ratio<0.05`, `time_to_image.p95<400ms`, `oracle_gap<2%`.
public struct Assertion: Sendable, Hashable {
  /// A number of a result.
  package enum Number: Sendable, Hashable {
    /// A measurement of Cellophane.
    case measured(MetricPath)
    /// ``SimulationResult/oracleGap``.
    case oracleGap

    /// All numbers.
    package static var all: [Number] { MetricPath.all.map { .measured($0) } + [.oracleGap] }

    /// Creates the number with the name `text`; nil for an unknown name.
    package init?(_ text: String) {
      guard let number = Self.all.first(where: { $0.text == text }) else { return nil }
      self = number
    }

    /// The name.
    package var text: String {
      switch self {
      case .measured(let path): path.text
      case .oracleGap: "oracle_gap"
      }
    }

    /// The unit.
    package var unit: String {
      switch self {
      case .measured(let path): path.unit
      case .oracleGap: "1"
      }
    }

    /// True if the number is a share, which cannot exceed 1.
    var isShare: Bool {
      switch self {
      case .measured(.metric(let metric)): metric.isShare
      case .measured(.quantile): false
      case .oracleGap: true
      }
    }

    /// True if the number is known only with ``SimulationConfiguration/foresight``.
    var needsForesight: Bool {
      let metrics: [Metric] = [.foresight0s, .foresight1s, .foresight3s, .foresightAll]
      return metrics.contains { self == .measured(.metric($0)) }
    }

    /// True if the number is known only in real time.
    var needsRealTime: Bool {
      let metrics: [Metric] = [.lateFrames, .hitches, .peakResidentBytes]
      return metrics.contains { self == .measured(.metric($0)) }
    }
  }

  /// A comparison with the limit.
  package enum Comparison: String, Sendable, CaseIterable {
    // Operators with two characters precede their first characters.
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case below = "<"
    case above = ">"

    /// Returns true if `value` satisfies the comparison with `limit`.
    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .atMost: value <= limit
      case .atLeast: value >= limit
      case .equal: value == limit
      case .below: value < limit
      case .above: value > limit
      }
    }

    /// Returns true if every number from `low` to `high` satisfies the comparison with `limit`, and false if none does; nil
    /// if some do.
    func holds(from low: Double, to high: Double, _ limit: Double) -> Bool? {
      if holds(low, limit), holds(high, limit) { return true }
      // A limit between the ends satisfies ==.
      let hasOne = holds(low, limit) || holds(high, limit) || self == .equal && (low...high).contains(limit)
      return hasOne ? nil : false
    }
  }

  /// The text of the assertion, as written.
  public let text: String
  /// The number.
  package let number: Number
  /// The comparison.
  package let comparison: Comparison
  /// The limit, in the unit of the number.
  package let limit: Double
  /// The unit of the limit as written, and its factor to the unit of the number; nil and 1 without one.
  private let unit: String?
  private let factor: Double
  /// The number of decimal places of the limit as written.
  private let fractionDigits: Int

  /// Parses an assertion: the name of a number, a comparison, and a limit. A limit without a unit has the
  /// unit of the number.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for an unknown number, comparison or unit.
  public init(parsing text: String) throws(LoadError) {
    func invalid(_ reason: String) -> LoadError {
      LoadError(.invalidRequest, "the assertion '\(text)': \(reason)")
    }
    let plain = String(text.filter { !$0.isWhitespace })
    let found = Comparison.allCases.compactMap { comparison in
      plain.firstRange(of: comparison.rawValue).map { (comparison, $0) }
    }
    guard let (comparison, range) = found.min(by: { $0.1.lowerBound < $1.1.lowerBound }) else {
      throw invalid("no comparison; use one of <, <=, >, >=, ==, as in 'blank_ratio<0.05'")
    }
    let name = String(plain[..<range.lowerBound])
    guard let number = Number(name) else {
      throw invalid("unknown metric '\(name)'" + Self.hint(name))
    }
    let amount = plain[range.upperBound...]
    let digits = amount.prefix { $0.isNumber || "+-.eE".contains($0) && !$0.isWhitespace }
    guard let limit = Double(digits), limit.isFinite else {
      throw invalid("'\(amount)' is not a number")
    }
    let unit = String(amount[digits.endIndex...])
    guard let factor = unit.isEmpty ? 1 : Self.factors(to: number.unit)[unit] else {
      let units = Self.factors(to: number.unit).keys.sorted()
      throw invalid(
        "the unit '\(unit)' does not apply to \(name); "
          + (units.isEmpty ? "use none" : "use one of \(units.joined(separator: ", "))"))
    }
    // A bare 1 is probably meant as 1 %.
    let isBareOne = limit == 1 && unit.isEmpty && [.below, .atMost].contains(comparison)
    if number.isShare, isBareOne {
      throw invalid("\(name) is a share from 0 to 1, so the limit 1 is 100 %; write 1% or 100%")
    }
    if number.isShare, limit * factor > 1 {
      throw invalid(
        "\(name) is a share from 0 to 1, so the limit \(amount) decides nothing; write a limit such as 5% or 0.05"
      )
    }
    self.text = text
    self.number = number
    self.comparison = comparison
    self.limit = limit * factor
    self.unit = unit.isEmpty ? nil : unit
    self.factor = factor
    // At most 6: more decimal places are not readable.
    let places = digits.firstIndex(of: ".").map { digits[$0...].dropFirst().prefix(while: \.isNumber).count }
    fractionDigits = min(places ?? 0, 6)
  }

  /// Returns the accepted units for a number of `unit`, with their factors to it.
  private static func factors(to unit: String) -> [String: Double] {
    switch unit {
    case "1": ["%": 0.01, "pp": 0.01]
    case "ms": ["ms": 1, "s": 1_000]
    case "B": ["B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000]
    default: [unit: 1]
    }
  }

  /// Returns a suggestion for an unknown `name`.
  private static func hint(_ name: String) -> String {
    let start = name.split(separator: ".").first.map(String.init) ?? name
    let near = Number.all.map(\.text).filter {
      $0.hasPrefix(start + ".") || $0.hasPrefix(start.prefix(4))
    }
    return near.isEmpty || start.isEmpty
      ? "; cellophane simulate --list metrics lists them"
      : "; did you mean \(near.prefix(6).joined(separator: ", "))?"
  }

  /// Returns `value` in the unit of the limit, with one more decimal place than the limit. It has more places
  /// if they are needed to see the outcome or to be precise to a twentieth.
  func text(of value: Double) -> String {
    let (limit, scaled) = (self.limit / factor, value / factor)
    let holds = comparison.holds(value, self.limit)
    var text = "\(scaled)"
    for places in (fractionDigits + 1)..<12 {
      let rounded = Quantity.decimal(scaled, places: places)
      guard let shown = Double(rounded), comparison.holds(shown, limit) == holds,
        abs(shown - scaled) <= abs(scaled) / 20
      else { continue }
      text = rounded.hasSuffix(".0") ? String(rounded.dropLast(2)) : rounded
      break
    }
    let unit = unit ?? (number.unit == "1" ? "" : number.unit)
    return unit.isEmpty ? text : text + " " + unit
  }
}
