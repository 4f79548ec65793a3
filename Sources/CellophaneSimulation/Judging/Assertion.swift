public import Cellophane

/// What a result is asked to hold: `blank_ratio<0.05`, `time_to_image.p95<400ms`.
public struct Assertion: Sendable, Hashable {
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
  public let path: MetricPath
  /// How it is compared.
  public let comparison: Comparison
  /// With what, in the unit of the number.
  public let limit: Double

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
    guard let path = MetricPath(name) else {
      throw refused("there is no number '\(name)'" + Self.hint(name))
    }
    let amount = plain[range.upperBound...]
    let digits = amount.prefix { $0.isNumber || "+-.eE".contains($0) && !$0.isWhitespace }
    guard let number = Double(digits), number.isFinite else {
      throw refused("'\(amount)' is not a number")
    }
    let unit = String(amount[digits.endIndex...])
    guard let factor = unit.isEmpty ? 1 : Self.factors(to: path.unit)[unit] else {
      let units = Self.factors(to: path.unit).keys.sorted()
      throw refused(
        "the unit '\(unit)' does not fit \(name); "
          + (units.isEmpty ? "write none" : "write one of \(units.joined(separator: ", "))"))
    }
    self.text = text
    self.path = path
    self.comparison = comparison
    limit = number * factor
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
    let near = MetricPath.all.map(\.text).filter {
      $0.hasPrefix(start + ".") || $0.hasPrefix(start.prefix(4))
    }
    return near.isEmpty || start.isEmpty
      ? "; the metrics of --json name all" : "; there is \(near.prefix(6).joined(separator: ", "))"
  }

  /// Whether `metrics` hold it. A number that is not known holds nothing.
  public func checked(on metrics: RunMetrics) -> AssertionOutcome {
    let value = metrics[path]
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
