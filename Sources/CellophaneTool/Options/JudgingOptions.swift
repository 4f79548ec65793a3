internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// What is asked of results of `cellophane simulate`.
struct JudgingOptions: ParsableArguments {
  @Option(
    name: .customLong("assert"),
    help:
      "What must hold, such as 'blank_ratio<0.05', 'time_to_image.p95<400ms' or 'oracle_gap<2%'; else the exit code is 4. May be given several times."
  )
  var assertions: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: "Play nothing; put two results of --json beside each other.")
  var compare: [String] = []

  @Option(
    name: .customLong("sweep"),
    help:
      "Play every value of an option, such as memory=10MB,20MB; given twice, every combination, as a heat map. Values with commas are divided by ';'."
  )
  var sweeps: [String] = []

  @Flag(help: "Play every number behind gestures and line at a half and at one and a half of its size.")
  var sensitivity = false

  @Option(help: "Play the published cases of this suite: v1. Options say how the loader is used.")
  var suite: String?

  @Option(help: "Play one case of the suite v1, such as cards/lh-slow4g/browser.")
  var suiteCase: String?

  /// The assertions.
  func parsed() throws(LoadError) -> [Assertion] {
    var parsed: [Assertion] = []
    for text in assertions { parsed.append(try Assertion(parsing: text)) }
    return parsed
  }

  /// The two results that are to be compared; nil when there is nothing to compare.
  func comparison() throws(LoadError) -> ResultComparison? {
    guard !compare.isEmpty else { return nil }
    guard compare.count == 2 else {
      throw LoadError(.invalidRequest, "--compare takes two results, not \(compare.count)")
    }
    return try ResultComparison(try Self.result(at: compare[0]), try Self.result(at: compare[1]))
  }

  /// Results of a thousand replicas have some 60 MB.
  private static let largestResult = 128 << 20

  private static func result(at path: String) throws(LoadError) -> SimulationResult {
    let bytes = try FileOutput.read(path, limit: largestResult)
    do { return try SimulationResult(json: bytes) } catch {
      // Not the command line is wrong, but a file: as `report` and `decode` say.
      throw LoadError(
        .corrupt,
        "\(path) is no result that simulate --json of this version wrote: \(error.message)")
    }
  }
}
