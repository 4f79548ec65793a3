internal import Cellophane
internal import CellophaneSimulation

/// What `simulate` tells of its model instead of playing.
extension Simulate {
  /// `--calibrate`
  func printCosts() async throws {
    let configuration = try configuration()
    if !quiet { Output.note("decoding pictures of all sizes ...") }
    let calibration = try await Interruption().cancels {
      try await DecodingCalibration(for: configuration)
    }
    try write(calibration.json(), table: calibration.table())
  }

  /// `--validate`
  func printValidation(of simulation: Simulation) async throws {
    let showsPhases = !quiet
    let validation = try await Interruption().cancels {
      try await simulation.validate { phase in
        if showsPhases { Output.note(phase.sentence) }
      }
    }
    try write(validation.json(), table: validation.table())
  }

  private func write(_ json: [UInt8], table: String) throws {
    if let jsonPath { try FileOutput.write(json, to: jsonPath) }
    if !quiet, jsonPath != "-" { try Output.bytes(Array(table.utf8).span) }
  }
}
