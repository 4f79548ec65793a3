internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// What is written of a simulation beside its numbers.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .customLong("html"),
    help:
      "Where a report with pictures is written, one HTML file that needs nothing else; '-' is standard output."
  )
  var htmlPath: String?

  @Option(
    name: .customLong("trace"),
    help: "Where a trace for Perfetto (ui.perfetto.dev) is written; '-' is standard output.")
  var tracePath: String?

  @Option(
    name: .customLong("filmstrip"),
    help: "Where what the screen showed is drawn, an SVG picture; '-' is standard output.")
  var filmstripPath: String?

  @Option(
    name: .customLong("export-requests"),
    help:
      "Where the slots' requests are written for cache simulators: as CSV to *.csv, as oracleGeneral to *.bin."
  )
  var requestsPath: String?

  func validate() throws {
    if let requestsPath, !requestsPath.hasSuffix(".csv"), !requestsPath.hasSuffix(".bin") {
      throw ValidationError("--export-requests writes *.csv or *.bin, not \(requestsPath)")
    }
  }

  /// Where those are written that were given.
  var files: [(option: String, path: String)] {
    [
      ("--html", htmlPath), ("--trace", tracePath), ("--filmstrip", filmstripPath),
      ("--export-requests", requestsPath),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// Those that were given.
  var given: [String] { files.map(\.option) }

  /// True when one of them goes to standard output, which the table would spoil.
  var takesOutput: Bool { [htmlPath, tracePath, filmstripPath].contains("-") }

  /// What the simulation has to keep for them, and for a result as JSON.
  func attention(withJSON: Bool) -> Attention {
    var attention = Attention()
    attention.records = withJSON || [htmlPath, tracePath, filmstripPath].contains { $0 != nil }
    attention.keepsRequests = requestsPath != nil
    return attention
  }

  /// Writes them.
  func write(_ result: SimulationResult) throws {
    if let htmlPath { try FileOutput.write(Array(result.html().utf8), to: htmlPath) }
    if let tracePath, let trace = result.trace() { try FileOutput.write(Array(trace.utf8), to: tracePath) }
    if let filmstripPath, let strip = result.filmstrip() {
      try FileOutput.write(Array(strip.utf8), to: filmstripPath)
    }
    if let requestsPath, let trace = result.requests {
      let bytes = requestsPath.hasSuffix(".csv") ? Array(trace.csv().utf8) : trace.oracleGeneral()
      try FileOutput.write(bytes, to: requestsPath)
    }
  }

  /// Writes the report of a study, which has nothing else.
  func write(_ result: StudyResult) throws {
    if let htmlPath { try FileOutput.write(Array(result.html().utf8), to: htmlPath) }
  }
}
