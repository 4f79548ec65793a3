/// The name of a number of a result, as in assertions and comparisons: `blank_ratio`, `hit_ratio.memory`,
/// `time_to_image.p95`.
package enum MetricPath: Sendable, Hashable {
  /// A metric.
  case metric(Metric)
  /// A quantile of a waiting time.
  case quantile(WaitMetric, WaitEstimate.Quantile)

  /// All paths, in the order of results.
  package static var all: [MetricPath] {
    Metric.allCases.map { .metric($0) }
      + WaitMetric.allCases.flatMap { metric in
        WaitEstimate.Quantile.allCases.map { .quantile(metric, $0) }
      }
  }

  /// Creates the path with the name `text`; nil for an unknown name.
  package init?(_ text: String) {
    guard let path = Self.all.first(where: { $0.text == text }) else { return nil }
    self = path
  }

  /// The name.
  package var text: String {
    switch self {
    case .metric(let metric): metric.rawValue
    case .quantile(let metric, let quantile): metric.rawValue + "." + quantile.rawValue
    }
  }

  /// The unit.
  package var unit: String {
    switch self {
    case .metric(let metric): metric.unit
    case .quantile: "ms"
    }
  }

  /// True if the number is a total; see ``Metric/isTotal``.
  package var isTotal: Bool {
    switch self {
    case .metric(let metric): metric.isTotal
    case .quantile: false
    }
  }

  /// The better direction; nil if neither direction is better by itself.
  package var better: Metric.Direction? {
    switch self {
    case .metric(let metric): metric.better
    case .quantile: .lower
    }
  }
}

extension MetricPath: CodingKeyRepresentable {
  /// The name.
  package var codingKey: any CodingKey { JSONKey(text) }

  /// Reads a name.
  package init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension MetricPath: Codable {
  /// Reads a name.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let path = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no metric has this name")
    }
    self = path
  }

  /// Writes the name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
