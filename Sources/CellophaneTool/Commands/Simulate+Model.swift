internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneSimulation

/// The measurements of the models, instead of a simulation.
extension Simulate {
  /// Runs `--calibrate`.
  func printCosts() async throws {
    let configuration = try configuration()
    if !general.quiet { Output.note("decoding images of all sizes ...") }
    let calibration = try await Interruption().runCancellable {
      try await DecodingCalibration(for: configuration)
    }
    try write(calibration.json(), table: calibration.table())
  }

  /// Runs `--validate`.
  func printValidation(of simulation: Simulation) async throws {
    let showsPhases = !general.quiet
    let validation = try await Interruption().runCancellable {
      try await simulation.validate { phase in
        if showsPhases { Output.note(phase.sentence) }
      }
    }
    try write(validation.json(), table: validation.table())
  }

  /// Writes the JSON of `--json`, and prints the table.
  func write(_ json: [UInt8], table: @autoclosure () -> String) throws {
    if let jsonPath = general.jsonPath { try FileIO.write(json, to: jsonPath) }
    if !general.quiet, general.jsonPath != "-" { try Output.bytes(Array(table().utf8).span) }
  }
}
