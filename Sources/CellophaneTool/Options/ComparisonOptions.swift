internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

/// Assertions about a result of `cellophane simulate`, and comparisons of several runs.
struct ComparisonOptions: ParsableArguments {
  @Option(
    name: .customLong("assert"),
    help: ArgumentHelp(
      """
      Exit with code 4 unless this condition holds, such as 'blank_ratio<5%' or 'time_to_image.p95<400ms'. The 95 % \
      interval decides; with fewer than ten replicas, the value. With --compare, the number is the second result \
      minus the first. Repeatable.
      """, discussion: Self.metricNames, valueName: "condition"))
  var assertions: [String] = []

  @Option(
    name: .customLong("list"),
    help: ArgumentHelp(
      """
      List the names of a kind with their meanings, without a simulation: networks, profiles, loaders, prefetch, \
      policies, metrics, or cases (of the suites).
      """, valueName: "kind"))
  var listed: NameList?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Compare two results of --json, without a simulation. Exit with code 5 if the blank share of the second is \
      confirmed to be worse.
      """, valueName: "a.json b.json"),
    completion: .file())
  var compare: [String] = []

  @Option(
    name: .customLong("sweep"),
    help: ArgumentHelp(
      """
      Simulate every value of an option, such as memory=10MB,20MB. Given twice, simulate all combinations. Use ';' \
      between values that contain commas.
      """, valueName: "option=value,..."))
  var sweeps: [String] = []

  @Flag(help: "Vary each gesture and network parameter by -50 % and +50 %; a share grows to at most 1.")
  var sensitivity = false

  @Option(
    help: ArgumentHelp(
      """
      Simulate all cases of a published suite: v1, or v2, whose seeds are 1 to 1000 for tuning and 1001 to 2000 for \
      results.
      """, valueName: "suite"),
    completion: .list(Study.suites))
  var suite: String?

  /// The names that assertions accept, for the help.
  private static var metricNames: String {
    var metrics: [String] = []
    var waits: [String] = []
    var quantiles: [String] = []
    for path in MetricPath.all {
      switch path {
      case .metric: metrics.append(path.text)
      case .quantile(let metric, let quantile):
        if waits.last != metric.rawValue { waits.append(metric.rawValue) }
        if !quantiles.contains(quantile.rawValue) { quantiles.append(quantile.rawValue) }
      }
    }
    return """
      Metrics: \(metrics.joined(separator: ", ")), oracle_gap.
      With .\(quantiles.joined(separator: ", .")): \(waits.joined(separator: ", ")).
      --list metrics explains them.
      """
  }

  /// Returns the parsed assertions.
  func parsed() throws(LoadError) -> [Assertion] {
    var parsed: [Assertion] = []
    for text in assertions { parsed.append(try Assertion(parsing: text)) }
    return parsed
  }

  /// Returns the two named results; nil without `--compare`.
  func compared() throws(LoadError) -> [SimulationResult]? {
    guard !compare.isEmpty else { return nil }
    guard compare.count == 2 else {
      throw LoadError(
        .invalidRequest,
        "--compare needs two results, but got \(compare.count); write --compare a.json b.json")
    }
    return [try Self.result(at: compare[0]), try Self.result(at: compare[1])]
  }

  /// 128 MB: the result of a thousand replicas has about 60 MB.
  static let largestResult = 128 << 20

  private static func result(at path: String) throws(LoadError) -> SimulationResult {
    let bytes = try FileIO.read(path, limit: largestResult)
    do {
      try StoredResult.checkSchema(of: bytes, for: .comparison)
      return try SimulationResult(json: bytes)
    } catch {
      // As in `report` and `decode`: the file is wrong, not the command line.
      throw ResultFileError.describing(error, path, bytes)
    }
  }
}
