import FoundationEssentials
import Testing

@testable import CellophaneResults
internal import TestSupport

/// The table of results of suite v2, which contributors extend.
@Suite struct SuiteResultsTests {
  private struct Line: Sendable {
    let cells: [String]

    /// The number at the start of a cell.
    func number(_ column: Int) -> Double? { Double(cells[column].prefix { "0123456789.".contains($0) }) }
  }

  private static let columns = [
    "Loader", "Options", "Version", "Seeds", "Blank, cold", "Blank, warm", "Less Cellophane, warm",
    "Within 0.4 s",
    "Received", "Never shown", "Fingerprint",
  ]

  private static func text() throws -> String {
    String(decoding: try Documentation.file(named: "results-v2.md"), as: UTF8.self)
  }

  private static func lines() throws -> [Line] {
    let rows = try text().split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
      Line(cells: row.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init))
    }
    let start = try #require(rows.firstIndex { $0.cells == columns })
    return rows[(start + 1)...].prefix { $0.cells.count == columns.count }.map(\.self)
  }

  @Test func `each line has its numbers, the seeds of results and a fingerprint`() throws {
    let lines = try Self.lines()
    #expect(lines.contains { $0.cells[0] == "cellophane" })
    for line in lines {
      let cells = line.cells
      #expect(
        ListedLoader(rawValue: cells[0]) != nil || cells[0].hasPrefix("["), "\(cells[0]): link other loaders")
      #expect(cells[2].split(separator: ".").compactMap { Int($0) }.count == 3, "\(cells)")
      let seeds = cells[3].split(separator: "–").compactMap { Int($0) }
      #expect(
        seeds.count == 2 && seeds[0] >= 1_001 && seeds[1] <= 2_000 && seeds[1] - seeds[0] >= 19, "\(cells)")
      for column in [4, 5, 7] {
        #expect(
          cells[column].contains(" ± ") && cells[column].hasSuffix("%")
            && (0...100).contains(line.number(column) ?? -1), "\(cells)")
      }
      #expect(cells[6] == "–" || cells[6].contains(" ± "), "\(cells)")
      for column in 8...9 {
        #expect(cells[column].hasSuffix(" MB") && line.number(column) != nil, "\(cells)")
      }
      #expect(cells[10].count == 12 && cells[10].allSatisfy { "0123456789abcdef".contains($0) }, "\(cells)")
    }
  }

  @Test func `the lines are sorted by the warm blank share, and none occurs twice`() throws {
    let lines = try Self.lines()
    let shares = lines.compactMap { $0.number(5) }
    #expect(shares == shares.sorted())
    #expect(Set(lines.map { $0.cells[0...3].joined(separator: "|") }).count == lines.count)
  }

  @Test func `the page names the hash of the suite`() throws {
    let hash = SHA256.hex(of: Array(try Documentation.file(named: "suite-v2.json")))
    #expect(try Self.text().contains(hash))
  }
}
