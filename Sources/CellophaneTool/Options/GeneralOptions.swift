internal import ArgumentParser
public import CellophaneResults

/// The seed and the output of a simulation.
struct GeneralOptions: ParsableArguments {
  @Option(
    name: .customLong("json"),
    help: ArgumentHelp(
      "Write the result as JSON to this file; '-' writes to standard output.", valueName: "file"),
    completion: .file())
  var jsonPath: String?

  @Option(help: ArgumentHelp("Set the random seed. (default: 1)", valueName: "n"))
  var seed: UInt64?

  @Flag(help: "Print neither the table nor progress.")
  var quiet = false
}

/// The repetition and the time of a simulation.
struct RepetitionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Repeat the run with this many consecutive seeds, beginning with --seed. (default: 20; in real time 1)",
      valueName: "n")
  )
  var replicas: Int?

  @Option(
    help: ArgumentHelp(
      """
      Run in virtual time, with models and reproducibly, or in real time over sockets. \
      (default: virtual; with --urls real)
      """, valueName: "time"))
  var time: SimulationConfiguration.Time?

  @Flag(
    help: """
      Also compute the blank shares of planners that know the gestures of the next 0, 1 and 3 s, and of the oracle: \
      the metrics foresight.*.
      """)
  var foresight = false
}

/// A published case as the scenario.
struct SuiteCaseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Simulate one case of a suite, such as cards/lh-slow4g/browser. A result with other options that change it \
      is not that of the published case.
      """, valueName: "case"))
  var suiteCase: String?
}

extension SimulationConfiguration.Time: Choice {}
