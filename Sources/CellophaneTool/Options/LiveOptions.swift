internal import ArgumentParser
internal import CellophaneSimulation
internal import Foundation

/// How a simulation shows what it does.
struct LiveOptions: ParsableArguments {
  @Option(help: "How fast virtual time passes on the terminal: 1x as the clock, 10x, or max. [default: max]")
  var speed: Speed?

  @Flag(
    name: .customLong("no-tui"),
    help: "Draw no picture of the list on the terminal; say what is done in lines.")
  var isPlain = false

  @Flag(name: .customLong("no-color"), help: "Use no colours on the terminal, as NO_COLOR does.")
  var isColourless = false

  /// What shows a run of `configuration`; nil where lines do: for who asked for them, or where no terminal is.
  func view(of configuration: SimulationConfiguration) -> LiveView? {
    guard !isPlain, Output.isTerminal, Platform.terminalSize != nil else { return nil }
    return LiveView(
      configuration, speed: speed ?? .max, usesColour: allowsColour)
  }

  /// True where a table on standard output may have colours: on a terminal, for who did not ask for none.
  var coloursTables: Bool { Output.showsResultsOnTerminal && allowsColour }

  private var allowsColour: Bool { !isColourless && !Self.forbidsColour(ProcessInfo.processInfo.environment) }

  /// True where the environment asks for no colours (no-color.org).
  static func forbidsColour(_ environment: [String: String]) -> Bool {
    !(environment["NO_COLOR"] ?? "").isEmpty
  }
}
