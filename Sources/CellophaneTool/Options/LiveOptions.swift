internal import ArgumentParser
internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneResults
internal import Foundation

/// The display of a running simulation on the terminal.
struct LiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Let virtual time pass at this factor of real time, such as 1x or 10x. (default: max)",
      valueName: "factor"))
  var speed: Speed?

  @Flag(name: .customLong("no-tui"), help: "Print progress as lines instead of drawing the list.")
  var isPlain = false

  @Flag(name: .customLong("no-color"), help: "Use no colors, as with NO_COLOR.")
  var isColorless = false

  @Flag(
    name: .customLong("all"),
    help: "Print all rows of the table with their definitions. (default: the twelve that matter most)")
  var showsAll = false

  /// Returns the view for a run of `configuration`, or nil where progress is printed as lines: with `--no-tui`, or
  /// without a terminal.
  func view(of configuration: SimulationConfiguration) -> LiveView? {
    guard !isPlain, Output.isTerminal, Platform.terminalSize != nil else { return nil }
    return LiveView(
      configuration, speed: speed ?? .max, usesColor: allowsColor)
  }

  /// True if a table on standard output may use colors: on a terminal, unless colors are turned off.
  var colorsTables: Bool { Output.showsResultsOnTerminal && allowsColor }

  private var allowsColor: Bool { !isColorless && !Self.forbidsColor(ProcessInfo.processInfo.environment) }

  /// True if the environment turns colors off (no-color.org).
  static func forbidsColor(_ environment: [String: String]) -> Bool {
    !(environment["NO_COLOR"] ?? "").isEmpty
  }
}
