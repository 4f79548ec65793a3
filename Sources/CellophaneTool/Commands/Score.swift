internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults
internal import CellophaneSimulation
internal import Foundation

/// `cellophane score`
struct Score: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "score",
    abstract: "Measure the run of any image loader from a trace of its events.",
    discussion: """
      A trace has one JSON object a line: the scenario, and then the events of the loader (bind, start, finish, cancel, \
      show). The loader may be written in any language, and may run in real or in virtual time. simulate --script \
      writes the rows and the gestures that the list of a harness plays. The metrics, tables and reports are those of \
      simulate. Several traces of one loader with consecutive seeds are replicas.

      The exit code is 1 for an invalid trace, 3 if a wrong image was shown or a slot waits forever, and 4 if an --assert \
      does not hold.

      Examples:
        cellophane score run.jsonl --baselines --html report.html
        cellophane score run-1.jsonl run-2.jsonl --quiet --json result.json
        cellophane simulate --time real --duration 10s --script script.jsonl
      """)

  @Argument(
    help: ArgumentHelp("Read these traces; '-' reads standard input.", valueName: "run.jsonl"),
    completion: .file())
  var traces: [String]

  @Flag(
    help: """
      Play the naive loader and Cellophane in virtual time with the gestures of the trace, and show them beside it.
      """)
  var baselines = false

  @Option(
    name: .customLong("assert"),
    help: ArgumentHelp(
      "Exit with code 4 unless this condition holds, as in simulate. Repeatable.", valueName: "condition"))
  var assertions: [String] = []

  @Flag(help: "Print all rows of the table, with their definitions.")
  var all = false

  @Option(
    name: .customLong("html"),
    help: ArgumentHelp(
      "Write a report with charts as one HTML file; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var htmlPath: String?

  @Option(
    name: .customLong("json"),
    help: ArgumentHelp(
      "Write the result as JSON to this file; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var jsonPath: String?

  @Flag(help: "Print no table.")
  var quiet = false

  func checkArguments() throws {
    let outputs = [("--json", jsonPath), ("--html", htmlPath)].compactMap { option, path in
      path.map { (option, $0) }
    }
    for (index, (option, path)) in outputs.enumerated() {
      if let (other, _) = outputs[..<index].first(where: { Platform.areSame($0.1, path) }) {
        throw ValidationError("\(other) and \(option) name the same file, \(path); choose two names")
      }
      if path != "-", traces.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(option) would overwrite its input \(path); choose another name")
      }
    }
    guard traces.count <= SimulationConfiguration.replicaCounts.upperBound else {
      throw ValidationError("at most 1000 traces can be scored together, not \(traces.count)")
    }
  }

  func run() async throws {
    do {
      var parsed: [Assertion] = []
      for text in assertions { parsed.append(try Assertion(parsing: text)) }
      var result = try await scored()
      result.reproduce = RepeatingCommand().text
      result.assertions = parsed.map { [result] in $0.checked(on: result) }
      if let jsonPath { try FileIO.write(result.json(), to: jsonPath) }
      if let htmlPath { try FileIO.write(Array(result.html().utf8), to: htmlPath) }
      let usesColor =
        Output.showsResultsOnTerminal && !LiveOptions.forbidsColor(ProcessInfo.processInfo.environment)
      if !quiet, jsonPath != "-", htmlPath != "-" {
        try Output.bytes(Array(result.table(all: all, usesColor: usesColor).utf8).span)
      }
      if !result.brokenInvariants.isEmpty { throw Failure.invariantBroken(result.brokenInvariants) }
      try Failure.check(result.assertions)
    } catch let error as LoadError {
      throw Failure(error, json: jsonPath == "-")
    }
  }

  /// Reads the traces and measures their runs.
  private func scored() async throws -> SimulationResult {
    var read: [RunTrace] = []
    for path in traces {
      let text = try FileIO.read(path == "-" ? "/dev/stdin" : path, limit: RunTraceReader.maxBytes)
      read.append(try RunTraceReader.read(text, name: path))
    }
    let (all, records) = (read, htmlPath != nil || jsonPath != nil)
    return try await Interruption().runCancellable { [traces, baselines] in
      try await Simulation.score(all, names: traces, playsBaselines: baselines, records: records)
    }
  }
}
