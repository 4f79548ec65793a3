internal import ArgumentParser
internal import Cellophane
public import CellophaneSimulation

/// How a simulation models decoding, and how well it models the machine at hand.
struct ModelOptions: ParsableArguments {
  @Option(
    help:
      "In virtual time, model: files have no pixels; real: they are decoded, in modelled time. [default: model]"
  )
  var decode: SimulationConfiguration.Decoding.Mode?

  @Option(help: "A file with the costs of decoding in virtual time, as --calibrate writes it.")
  var costs: String?

  @Flag(help: "Measure what decoding costs on this machine, and play nothing; --json writes it for --costs.")
  var calibrate = false

  @Flag(help: "Play over real sockets and in virtual time, and tell how far the model of the line is off.")
  var validate = false

  /// Those that were given and say what is played.
  var given: [String] { givenForVirtualTime }

  /// Those that were given and are about virtual time.
  var givenForVirtualTime: [String] {
    let options: KeyValuePairs<String, Any?> = ["--decode": decode, "--costs": costs]
    return options.given
  }

  /// Sets what they say.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let decode { configuration.decoding.mode = decode }
    if let costs {
      // 1 MB, as for any scenario.
      let measured = try SimulationConfiguration(scenario: FileOutput.read(costs, limit: 1 << 20)).decoding
      configuration.decoding.png = measured.png
      configuration.decoding.jpeg = measured.jpeg
    }
  }
}

extension SimulationConfiguration.Decoding.Mode: Choice {}
