internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

/// The files that a simulation writes in addition to its result.
struct ExportOptions: ParsableArguments {
  @Option(
    name: .customLong("html"),
    help: ArgumentHelp(
      "Write a report with charts as one HTML file; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var htmlPath: String?

  @Option(
    name: .customLong("trace"),
    help: ArgumentHelp(
      "Write a trace for Perfetto (ui.perfetto.dev); '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var tracePath: String?

  @Option(
    name: .customLong("filmstrip"),
    help: ArgumentHelp(
      "Write an SVG image of the screen over time; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var filmstripPath: String?

  @Option(
    name: .customLong("export-requests"),
    help: ArgumentHelp(
      "Write the slots' requests for cache simulators: CSV to *.csv, oracleGeneral to *.bin.",
      valueName: "file"),
    completion: .file())
  var requestsPath: String?

  @Option(
    name: .customLong("export-run"),
    help: ArgumentHelp(
      "Write the events of the loader in the first replica as a trace, which score reads.", valueName: "file"),
    completion: .file())
  var runPath: String?

  func validate() throws {
    if let requestsPath, !requestsPath.hasSuffix(".csv"), !requestsPath.hasSuffix(".bin") {
      throw ValidationError("--export-requests needs a name that ends in .csv or .bin, not '\(requestsPath)'")
    }
  }

  /// The given options with their files.
  var files: [(option: String, path: String)] {
    [
      ("--html", htmlPath), ("--trace", tracePath), ("--filmstrip", filmstripPath),
      ("--export-requests", requestsPath), ("--export-run", runPath),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// The names of the given options.
  var given: [String] { files.map(\.option) }

  /// True if a file goes to standard output, where the table would corrupt it.
  var usesStandardOutput: Bool { [htmlPath, tracePath, filmstripPath, runPath].contains("-") }

  /// Returns what the simulation has to record for these files, and for a result as JSON.
  func instrumentation(withJSON: Bool) -> Instrumentation {
    var instrumentation = Instrumentation()
    instrumentation.records = withJSON || [htmlPath, tracePath, filmstripPath].contains { $0 != nil }
    instrumentation.keepsRequests = requestsPath != nil
    instrumentation.keepsTrace = runPath != nil
    return instrumentation
  }

  /// Writes the files of one simulation.
  func write(_ result: SimulationResult) throws {
    if let htmlPath { try FileIO.write(Array(result.html().utf8), to: htmlPath) }
    if let tracePath, let trace = result.trace() { try FileIO.write(Array(trace.utf8), to: tracePath) }
    if let filmstripPath, let strip = result.filmstrip() {
      try FileIO.write(Array(strip.utf8), to: filmstripPath)
    }
    if let runPath, let trace = result.trace { try FileIO.write(trace, to: runPath) }
    if let requestsPath, let trace = result.requests {
      let bytes = requestsPath.hasSuffix(".csv") ? Array(trace.csv().utf8) : trace.oracleGeneral()
      try FileIO.write(bytes, to: requestsPath)
    }
  }

  /// Writes the report of a study; a study has no other files.
  func write(_ result: StudyResult) throws {
    if let htmlPath { try FileIO.write(Array(result.html().utf8), to: htmlPath) }
  }
}
