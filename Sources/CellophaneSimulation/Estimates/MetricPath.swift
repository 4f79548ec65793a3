/// The name of one number of a result, as assertions and comparisons write it: `blank_ratio`, `hit_ratio.memory`,
/// `time_to_image.p95`.
public enum MetricPath: Sendable, Hashable {
  /// A metric.
  case metric(Metric)
  /// A quantile of waits.
  case quantile(WaitMetric, WaitEstimate.Quantile)

  /// All of them, in the order in which results have them.
  public static var all: [MetricPath] {
    Metric.allCases.map { .metric($0) }
      + WaitMetric.allCases.flatMap { metric in
        WaitEstimate.Quantile.allCases.map { .quantile(metric, $0) }
      }
  }

  /// The number that `text` names; nil when it names none.
  public init?(_ text: String) {
    guard let path = Self.all.first(where: { $0.text == text }) else { return nil }
    self = path
  }

  /// The name.
  public var text: String {
    switch self {
    case .metric(let metric): metric.rawValue
    case .quantile(let metric, let quantile): metric.rawValue + "." + quantile.rawValue
    }
  }

  /// The unit.
  public var unit: String {
    switch self {
    case .metric(let metric): metric.unit
    case .quantile: "ms"
    }
  }

  /// See ``Metric/isTotal``.
  public var isTotal: Bool {
    switch self {
    case .metric(let metric): metric.isTotal
    case .quantile: false
    }
  }

  /// Which way is better; nil when neither is, by itself.
  public var better: Metric.Direction? {
    switch self {
    case .metric(let metric): metric.better
    case .quantile: .lower
    }
  }
}

extension MetricPath: CodingKeyRepresentable {
  /// The name.
  public var codingKey: any CodingKey { JSONKey(text) }

  /// Reads a name.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension MetricPath: Codable {
  /// Reads a name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let path = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no metric has this name")
    }
    self = path
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
