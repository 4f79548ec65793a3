internal import Cellophane

extension StoredResult {
  /// Returns the numbers of the result as CSV (RFC 4180) with a header line: the case of a study, the loader, the
  /// metric, its unit, the replica, the value, and the ends of its 95 % interval.
  ///
  /// Each metric has a line for all replicas, in which the field of the replica is empty, and a line for each replica
  /// that has a value. Quantiles and the other loaders have the former only.
  package func csv() -> String {
    let lines =
      switch self {
      case .run(let result): result.csvLines
      case .study(let result): result.cases.flatMap { Self.lines(of: $0) }
      }
    let head = ["case", "loader", "metric", "unit", "replica", "value", "ci95_low", "ci95_high"]
    return ([head] + lines).map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func lines(of one: StudyResult.Case) -> [[String]] {
    MetricPath.all.flatMap { path in
      one.metrics[path].map {
        lines(
          of: path, case: StudyResult.name(of: one), .cellophane, $0.mean, $0.interval, replicas: $0.replicas)
      } ?? []
    }
  }

  fileprivate static func lines(
    of path: MetricPath, case name: String, _ loader: LoaderUnderTest, _ value: Double?,
    _ interval: ConfidenceInterval? = nil, replicas: [Double?]? = nil
  ) -> [[String]] {
    func line(_ replica: String, _ value: Double?, _ interval: ConfidenceInterval? = nil) -> [String]? {
      guard let value else { return nil }
      return [name, loader.rawValue, path.text, path.unit, replica, "\(value)"]
        + [interval?.low, interval?.high].map { $0.map { "\($0)" } ?? "" }
    }
    let single = (replicas ?? []).enumerated().compactMap { line("\($0)", $1) }
    return [line("", value, interval)].compactMap(\.self) + single
  }

  /// Returns a field of CSV. It is quoted if it contains a separator.
  private static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

extension SimulationResult {
  fileprivate var csvLines: [[String]] {
    let name = suiteCase ?? ""
    let own = MetricPath.all.flatMap { path in
      StoredResult.lines(
        of: path, case: name, .cellophane, metrics.run[path], metrics.interval(of: path),
        replicas: metrics.replicas(of: path))
    }
    return own
      + LoaderUnderTest.allCases.flatMap { loader in
        baselines[loader].map { run in
          MetricPath.all.flatMap { StoredResult.lines(of: $0, case: name, loader, run[$0]) }
        } ?? []
      }
  }
}
