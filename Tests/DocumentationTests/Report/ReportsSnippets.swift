internal import CellophaneReport
internal import CellophaneSimulation
internal import Foundation
internal import Testing

// The code of Sources/CellophaneReport/CellophaneReport.docc/Reports.md.

/// Runs a scenario and writes its report and its result into `folder`.
private func report(_ configuration: SimulationConfiguration, into folder: URL) async throws {
  let result = try await Simulation(configuration).run(records: true)

  try Data(result.html().utf8).write(to: folder.appending(path: "report.html"))
  try Data(result.json()).write(to: folder.appending(path: "result.json"))
}

/// Reads a metric of a result that was stored as JSON.
private func blankRatio(in file: URL) throws -> Double? {
  let result = try SimulationResult(json: Array(Data(contentsOf: file)))
  return result.metrics[.blankRatio].mean
}

@Suite("Reports")
struct ReportsSnippets {
  @Test func reports() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = SimulationConfiguration()
    configuration.duration = .seconds(2)
    configuration.replicas = 1

    try await report(configuration, into: folder)

    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    #expect(files.sorted() == ["report.html", "result.json"])
    #expect(try blankRatio(in: folder.appending(path: "result.json")) ?? 0 > 0)
  }
}
