public import Cellophane

/// What a result is asked to hold: `blank_ratio<0.05`, `time_to_image.p95<400ms`, `oracle_gap<2%`.
public struct Assertion: Sendable, Hashable {
  /// A number of a result.
  public enum Number: Sendable, Hashable {
    /// One that tells what this loader did.
    case measured(MetricPath)
    /// ``SimulationResult/oracleGap``.
    case oracleGap

    /// All of them.
    public static var all: [Number] { MetricPath.all.map { .measured($0) } + [.oracleGap] }

    /// The number that `text` names; nil when it names none.
    public init?(_ text: String) {
      guard let number = Self.all.first(where: { $0.text == text }) else { return nil }
      self = number
    }

    /// The name.
    public var text: String {
      switch self {
      case .measured(let path): path.text
      case .oracleGap: "oracle_gap"
      }
    }

    /// The unit.
    public var unit: String {
      switch self {
      case .measured(let path): path.unit
      case .oracleGap: "1"
      }
    }
  }

  /// How a number is compared with the limit.
  public enum Comparison: String, Sendable, CaseIterable {
    // Those that begin like another stand before it.
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case below = "<"
    case above = ">"

    /// True when `value` is so.
    func holds(_ value: Double, _ limit: Double) -> Bool {
      switch self {
      case .atMost: value <= limit
      case .atLeast: value >= limit
      case .equal: value == limit
      case .below: value < limit
      case .above: value > limit
      }
    }
  }

  /// As it was written.
  public let text: String
  /// Which number.
  public let number: Number
  /// How it is compared.
  public let comparison: Comparison
  /// With what, in the unit of the number.
  public let limit: Double
  /// The unit that was written, and what it is of the number's own; nil and 1 when none was.
  private let unit: String?
  private let factor: Double
  /// How many digits the limit was written with behind the point.
  private let writtenPlaces: Int

  /// The assertion that `text` makes: the name of a number, a comparison, and a limit with a unit that fits; without one,
  /// in the number's own.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when there is no such number, comparison or unit.
  public init(parsing text: String) throws(LoadError) {
    func refused(_ reason: String) -> LoadError {
      LoadError(.invalidRequest, "the assertion '\(text)': \(reason)")
    }
    let plain = String(text.filter { !$0.isWhitespace })
    let found = Comparison.allCases.compactMap { comparison in
      plain.firstRange(of: comparison.rawValue).map { (comparison, $0) }
    }
    guard let (comparison, range) = found.min(by: { $0.1.lowerBound < $1.1.lowerBound }) else {
      throw refused("has no comparison; write one of <, <=, >, >=, == as in 'blank_ratio<0.05'")
    }
    let name = String(plain[..<range.lowerBound])
    guard let number = Number(name) else {
      throw refused("there is no number '\(name)'" + Self.hint(name))
    }
    let amount = plain[range.upperBound...]
    let digits = amount.prefix { $0.isNumber || "+-.eE".contains($0) && !$0.isWhitespace }
    guard let limit = Double(digits), limit.isFinite else {
      throw refused("'\(amount)' is not a number")
    }
    let unit = String(amount[digits.endIndex...])
    guard let factor = unit.isEmpty ? 1 : Self.factors(to: number.unit)[unit] else {
      let units = Self.factors(to: number.unit).keys.sorted()
      throw refused(
        "the unit '\(unit)' does not fit \(name); "
          + (units.isEmpty ? "write none" : "write one of \(units.joined(separator: ", "))"))
    }
    self.text = text
    self.number = number
    self.comparison = comparison
    self.limit = limit * factor
    self.unit = unit.isEmpty ? nil : unit
    self.factor = factor
    // 6: more than anybody reads.
    let places = digits.firstIndex(of: ".").map { digits[$0...].dropFirst().prefix(while: \.isNumber).count }
    writtenPlaces = min(places ?? 0, 6)
  }

  /// The units that can be written for a number of `unit`, and what they are of it.
  private static func factors(to unit: String) -> [String: Double] {
    switch unit {
    case "1": ["%": 0.01]
    case "ms": ["ms": 1, "s": 1_000]
    case "B": ["B": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000]
    default: [unit: 1]
    }
  }

  /// What somebody who wrote `name` may have meant.
  private static func hint(_ name: String) -> String {
    let start = name.split(separator: ".").first.map(String.init) ?? name
    let near = Number.all.map(\.text).filter {
      $0.hasPrefix(start + ".") || $0.hasPrefix(start.prefix(4))
    }
    return near.isEmpty || start.isEmpty
      ? "; the metrics of --json name all" : "; there is \(near.prefix(6).joined(separator: ", "))"
  }

  /// `value` of the number in the unit of the limit, with a digit more than that, or as many as it takes to see that it
  /// holds or not, and what it is to a twentieth.
  func text(of value: Double, holds: Bool) -> String {
    let (limit, scaled) = (self.limit / factor, value / factor)
    var text = "\(scaled)"
    for places in (writtenPlaces + 1)..<12 {
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

  /// Whether `result` holds it. A number that is not known holds nothing.
  public func checked(on result: SimulationResult) -> AssertionOutcome {
    let value =
      switch number {
      case .measured(let path): result.metrics.run[path]
      case .oracleGap: result.oracleGap
      }
    return AssertionOutcome(
      expr: text, value: value, pass: value.map { comparison.holds($0, limit) } ?? false)
  }
}

/// Whether a result holds an ``Assertion``.
public struct AssertionOutcome: Sendable, Hashable, Codable {
  /// The assertion.
  public let expr: String
  /// The number, in its own unit; nil when it is not known.
  public let value: Double?
  /// True when it holds.
  public let pass: Bool

  /// What came of it, in a few words.
  public var sentence: String {
    let text = value.map { (try? Assertion(parsing: expr))?.text(of: $0, holds: pass) ?? "\($0)" }
    return "\(expr) \(pass ? "holds" : "does not hold"): it is \(text ?? "not known")"
  }
}

extension RunMetrics {
  /// The number that `path` names.
  public subscript(path: MetricPath) -> Double? {
    switch path {
    case .metric(let metric): self[metric]
    case .quantile(let metric, let quantile): self[metric][quantile]
    }
  }
}
