/// The outcome of an ``Assertion``.
public struct AssertionOutcome: Sendable, Hashable, Codable {
  /// A judgment of an assertion.
  public enum Verdict: String, Sendable, Codable {
    /// Every number of the 95 % interval satisfies the condition; without an interval, the value does.
    case holds
    /// Some numbers of the interval satisfy it, and some do not.
    case notShown = "not-shown"
    /// No number of the interval satisfies it, or the number is unknown.
    case fails
  }

  /// The assertion.
  public let expr: String
  /// The values of the parameters of the case in a study; nil for a single result and for a comparison.
  public let subject: [String]?
  /// The number, in its own unit; nil if unknown.
  public let value: Double?
  /// The 95 % interval of the number; nil with fewer than ten replicas. The value alone decides then.
  package let interval: ConfidenceInterval?
  /// Whether the number is a quantile that too few waits reached. It exceeds every limit.
  package let isNever: Bool
  /// The judgment.
  public let verdict: Verdict

  /// True if the assertion holds.
  public var pass: Bool { verdict == .holds }

  enum CodingKeys: String, CodingKey {
    case expr, value, verdict, pass
    case subject = "case"
    case interval = "ci95"
    case isNever = "never"
  }

  init(
    _ assertion: Assertion, of value: Double?, interval: ConfidenceInterval?, isNever: Bool = false,
    subject: [String]? = nil
  ) {
    expr = assertion.text
    (self.subject, self.value, self.interval, self.isNever) = (subject, value, interval, isNever)
    verdict = Self.verdict(assertion, value, interval, isNever)
  }

  private static func verdict(
    _ assertion: Assertion, _ value: Double?, _ interval: ConfidenceInterval?, _ isNever: Bool
  ) -> Verdict {
    let (comparison, limit) = (assertion.comparison, assertion.limit)
    guard let value = value ?? (isNever ? .infinity : nil) else { return .fails }
    guard let interval else { return comparison.holds(value, limit) ? .holds : .fails }
    // An interval of quantiles may end below an infinite value.
    let (low, high) = (interval.low ?? (isNever ? .infinity : -.infinity), interval.high ?? .infinity)
    switch comparison.holds(from: min(low, value), to: max(high, value), limit) {
    case true?: return .holds
    case false?: return .fails
    case nil: return .notShown
    }
  }

  /// Reads the fields that `encode(to:)` writes.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    expr = try object.decode(String.self, forKey: .expr)
    subject = try object.decodeIfPresent([String].self, forKey: .subject)
    value = try object.decodeIfPresent(Double.self, forKey: .value)
    interval = try object.decodeIfPresent(ConfidenceInterval.self, forKey: .interval)
    isNever = try object.decodeIfPresent(Bool.self, forKey: .isNever) ?? false
    verdict = try object.decode(Verdict.self, forKey: .verdict)
  }

  /// Writes the outcome, and adds `pass` for scripts.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(expr, forKey: .expr)
    try object.encodeIfPresent(subject, forKey: .subject)
    try object.encode(value, forKey: .value)
    try object.encode(interval, forKey: .interval)
    if isNever { try object.encode(true, forKey: .isNever) }
    try object.encode(verdict, forKey: .verdict)
    try object.encode(pass, forKey: .pass)
  }

  /// A short description of the outcome.
  public var sentence: String {
    let assertion = try? Assertion(parsing: expr)
    let text = value.map { assertion?.text(of: $0) ?? "\($0)" }
    let condition: String? =
      switch assertion?.number {
      case let number? where number.needsRealTime: "--time real"
      case let number? where number.needsForesight: "--foresight"
      default: nil
      }
    let unknown =
      condition.map { "unknown; it is measured only with \($0)" }
      ?? (isNever ? "never: too few waits ended" : "unknown")
    let words =
      switch verdict {
      case .holds: "holds"
      case .notShown: "is not shown"
      case .fails: "does not hold"
      }
    return "\(expr)\(subject.map { " in \($0.joined(separator: "/"))" } ?? "") \(words): the value is "
      + (text ?? unknown) + (intervalText(assertion) ?? "")
  }

  /// The interval in words, if it explains the verdict.
  private func intervalText(_ assertion: Assertion?) -> String? {
    guard verdict == .notShown, let assertion, let interval else { return nil }
    func text(_ end: Double?) -> String { end.map(assertion.text(of:)) ?? "unbounded" }
    return ", its 95 % interval \(text(interval.low)) to \(text(interval.high)); use more replicas"
  }
}

extension Assertion {
  /// Returns the outcome for `result`.
  public func checked(on result: SimulationResult) -> AssertionOutcome {
    switch number {
    case .measured(let path):
      AssertionOutcome(
        self, of: result.metrics.run[path], interval: result.metrics.interval(of: path),
        isNever: result.metrics.run.isNever(path))
    case .oracleGap:
      AssertionOutcome(
        self, of: result.oracleGap,
        interval: result.differences[.oracle]?[.metric(.blankRatio)]?.interval)
    }
  }
}
