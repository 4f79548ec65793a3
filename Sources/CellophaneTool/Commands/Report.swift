internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneResults

/// `cellophane report`
struct Report: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a report from the JSON of a simulation: HTML, Markdown, CSV or JUnit.",
    discussion: """
      The input is the output of simulate --json, of one run or of several cases (--sweep, --sensitivity, --suite). \
      The name of the output decides the format. *.md is Markdown with the important numbers, for a comment of a code \
      review. *.csv has all numbers with their intervals and the values of the replicas. *.xml is JUnit: the assertions \
      and the invariants, for CI services. *.html, a name without an extension, and standard output are the report of \
      simulate --html: one HTML file for offline use, with charts, tables, all settings and the command that repeats the run.

      Examples:
        cellophane report result.json -o report.html
        cellophane report result.json -o numbers.csv
        cellophane report result.json -o junit.xml
        cellophane simulate --quiet --json - | cellophane report - -o report.html
      """)

  @Argument(
    help: ArgumentHelp("Read this JSON file; '-' reads standard input.", valueName: "result.json"),
    completion: .file())
  var result: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the report to this file: *.html, *.md, *.csv or *.xml (JUnit); '-' writes HTML to standard output.",
      valueName: "file"),
    completion: .file())
  var output: String

  /// The maximum size of a result, hundreds of times the usual size.
  private static let limit = 128 << 20

  func checkArguments() throws {
    if result != "-", output != "-", Platform.areSame(result, output) {
      throw ValidationError("the report would overwrite its input \(result); choose another name")
    }
    guard ["", "html", "htm", "md", "csv", "xml"].contains(fileExtension) else {
      throw ValidationError(
        "report writes no .\(fileExtension) files; name the output *.html, *.md, *.csv or *.xml")
    }
  }

  /// The extension of the output's name, in lowercase; empty without one.
  private var fileExtension: String {
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "" }
    return name[dot...].dropFirst().lowercased()
  }

  /// Returns the report in the format of the output's name.
  private func text(of result: StoredResult) throws -> String {
    switch fileExtension {
    case "md": result.markdown()
    case "csv": result.csv()
    case "xml": result.junit()
    default: try result.html()
    }
  }

  func run() async throws {
    let json = try FileIO.read(result == "-" ? "/dev/stdin" : result, limit: Self.limit)
    let report: String
    do { report = try text(of: StoredResult(json: json)) } catch {
      throw Failure(ResultFileError.describing(error, result, json))
    }
    try FileIO.write(Array(report.utf8), to: output)
  }
}
