internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

/// `cellophane report`
struct Report: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML report from the JSON of a simulation.",
    discussion: """
      The input is the output of simulate --json, of one run or of several cases (--sweep, --sensitivity, --suite). \
      The report is the same as that of simulate --html: one HTML file for offline use, with charts, tables, all \
      settings and the command that repeats the run.

      Examples:
        cellophane report result.json -o report.html
        cellophane simulate --quiet --json - | cellophane report - -o report.html
      """)

  @Argument(
    help: ArgumentHelp("Read this JSON file; '-' reads standard input.", valueName: "result.json"),
    completion: .file())
  var result: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the report to this file; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var output: String

  /// The maximum size of a result, hundreds of times the usual size.
  private static let limit = 128 << 20

  func checkArguments() throws {
    if result != "-", output != "-", Platform.areSame(result, output) {
      throw ValidationError("the report would overwrite its input \(result); choose another name")
    }
  }

  func run() async throws {
    let json = try FileIO.read(result == "-" ? "/dev/stdin" : result, limit: Self.limit)
    let page: String
    do { page = try StoredResult(json: json).html() } catch {
      throw Failure(ResultFileError.describing(error, result, json))
    }
    try FileIO.write(Array(page.utf8), to: output)
  }
}
