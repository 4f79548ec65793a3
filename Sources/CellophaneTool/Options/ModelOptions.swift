internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
public import CellophaneResults

/// The decoding model of a simulation, its calibration, and the validation of the network model.
struct ModelOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "In virtual time, model the decoding, or decode real images in modeled time. (default: model)",
      valueName: "mode"))
  var decode: SimulationConfiguration.Decoding.Mode?

  @Option(
    help: ArgumentHelp("Use the decoding costs that --calibrate wrote to this file.", valueName: "file"),
    completion: .file())
  var costs: String?

  @Flag(
    help: "Measure the decoding costs of this machine, without a simulation; --json writes them for --costs.")
  var calibrate = false

  @Flag(
    help: """
      Run over sockets and in virtual time, with the defaults of real time, and report the error of the network model.
      """)
  var validate = false

  /// The names of the given options that change the run.
  var given: [String] { givenForVirtualTime }

  /// The names of the given options that apply to virtual time.
  var givenForVirtualTime: [String] {
    let options: KeyValuePairs<String, Any?> = ["--decode": decode, "--costs": costs]
    return options.given
  }

  /// Sets the given options in `configuration`.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let decode { configuration.decoding.mode = decode }
    if let costs {
      // 1 MB, the limit of scenarios.
      let json = try FileIO.read(costs, limit: 1 << 20)
      do throws(LoadError) {
        let measured = try SimulationConfiguration(scenario: json).decoding
        configuration.decoding.png = measured.png
        configuration.decoding.jpeg = measured.jpeg
      } catch {
        throw LoadError(
          error.kind,
          "--costs needs the file that --calibrate --json wrote; \(Self.reason(error, costs, json))")
      }
    }
  }

  /// Returns the reason for which the file `name` with the content `json` has no costs.
  private static func reason(_ error: LoadError, _ name: String, _ json: [UInt8]) -> String {
    if (try? StoredJSON.schema(of: json)) != nil { return "\(name) is a result" }
    let whole = "the scenario "
    return error.message.hasPrefix(whole)
      ? "\(name) \(error.message.dropFirst(whole.count))" : "\(name): \(error.message)"
  }
}

extension SimulationConfiguration.Decoding.Mode: Choice {}
