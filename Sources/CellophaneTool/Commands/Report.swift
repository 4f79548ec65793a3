internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// `cellophane report`
struct Report: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a report of a simulation's result.",
    discussion: """
      Takes what simulate --json wrote, of one list or of several cases (--sweep, --sensitivity, --suite), and makes \
      the page that simulate --html would have made: one HTML file that works offline, with drawings, tables, every \
      setting and the command that repeats it.
      """)

  @Argument(help: "The result, a JSON file; '-' is standard input.")
  var result: String

  @Option(name: .shortAndLong, help: "Where the page is written; '-' is standard output.")
  var output: String

  /// The largest result that is read: hundreds of times an ordinary one.
  private static let limit = 128 << 20

  func validate() throws {
    if result != "-", output != "-", Platform.areSame(result, output) {
      throw ValidationError("the page would be written over \(result), which is read; choose another name")
    }
  }

  func run() async throws {
    let json = try FileOutput.read(result == "-" ? "/dev/stdin" : result, limit: Self.limit)
    let page: String
    do {
      try StoredResult.checkSchema(of: json)
      page = try StoredResult(json: json).html()
    } catch {
      throw Failure(Self.refused(result, error))
    }
    try FileOutput.write(Array(page.utf8), to: output)
  }

  private static func refused(_ name: String, _ error: any Error) -> LoadError {
    let reason = (error as? LoadError)?.message ?? "it cannot be shown"
    return LoadError(
      .corrupt, "\(name) is no result that simulate --json of this version wrote: \(reason)")
  }
}
