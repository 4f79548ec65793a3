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

  @Test("Metrics.md lists every metric with its unit and direction")
  func complete() throws {
    let numbers = Metric.allCases.map { ($0.rawValue, $0.unit, $0.better?.rawValue ?? "–") }
    let waits = WaitMetric.allCases.map { ($0.rawValue, "ms", "lower") }
    let rows = try Self.rows()
    let expected = (numbers + waits).map { name, unit, better in ["`\(name)`", unit, better] }
    #expect(rows.map { Array($0.prefix(3)) } == expected)
    #expect(rows.allSatisfy { $0.count == 4 && $0[3].count > 15 })
  }
}
