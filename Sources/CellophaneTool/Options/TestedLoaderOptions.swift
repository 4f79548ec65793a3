internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

/// The loader that a simulation tests.
struct TestedLoaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Test this library, or a loader by the rules of another one; it is then shown beside this library. \
      (default: cellophane)
      """, discussion: NameList.help(NameList.testedLoaders), valueName: "loader"))
  var loader: ListedLoader?

  @Option(
    name: .customLong("script"),
    help: ArgumentHelp(
      """
      Write the rows and the gestures of the scenario as JSON Lines, for a harness that scrolls the list of another \
      loader; see score. Nothing is simulated. '-' writes to standard output.
      """, valueName: "file"),
    completion: .file())
  var scriptPath: String?

  /// The names of the given options that change the scenario.
  var given: [String] { loader == nil ? [] : ["--loader"] }
}

extension ListedLoader: Choice {}
