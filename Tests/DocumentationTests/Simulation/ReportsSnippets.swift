internal import CellophaneSimulation
internal import Foundation
internal import Testing

// The code of Sources/CellophaneSimulation/CellophaneSimulation.docc/Reports.md.

/// Runs a scenario and writes its report, its trace and its result into `folder`.
private func report(_ configuration: SimulationConfiguration, into folder: URL) async throws {
  var instrumentation = Instrumentation()
  instrumentation.records = true
  let result = try await Simulation(configuration).run(instrumentation)

  try Data(result.html().utf8).write(to: folder.appending(path: "report.html"))
  try Data(result.json()).write(to: folder.appending(path: "result.json"))
  if let trace = result.trace() {
    try Data(trace.utf8).write(to: folder.appending(path: "trace.json"))
  }
}

/// Compares two results that were stored as JSON.
private func compare(_ first: URL, _ second: URL) throws -> ResultComparison {
  let comparison = try ResultComparison(
    SimulationResult(json: Array(Data(contentsOf: first))),
    SimulationResult(json: Array(Data(contentsOf: second))))
  print(comparison.table([first.lastPathComponent, second.lastPathComponent]))
  return comparison
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
    #expect(files.sorted() == ["report.html", "result.json", "trace.json"])
    let stored = folder.appending(path: "result.json")
    let comparison = try compare(stored, stored)
    #expect(comparison.settings.isEmpty)
    #expect(comparison.isPaired)
  }
}
