internal import CellophaneSimulation
internal import Foundation
internal import Testing

@Suite("Table of metrics")
struct MetricTableTests {
  private static let path = "Sources/CellophaneSimulation/CellophaneSimulation.docc/Metrics.md"

  /// Returns the rows of the page's tables: name, unit, better direction, meaning.
  private static func rows() throws -> [[String]] {
    try Repository.text(of: path).split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  @Test("Metrics.md lists every metric with its unit, direction and definition")
  func complete() throws {
    let numbers = Metric.allCases.map { [$0.rawValue, $0.unit, $0.better?.rawValue ?? "–", $0.meaning] }
    let waits = WaitMetric.allCases.map { [$0.rawValue, "ms", "lower", $0.meaning] }
    let rows = try Self.rows().map { $0.map { $0.replacing("`", with: "") } }
    #expect(rows == numbers + waits)
    #expect(rows.allSatisfy { $0.last.map { $0.count > 15 } == true })
  }
}
