internal import CellophaneSimulation
internal import Foundation
internal import Testing

@Suite("Table of network presets")
struct PresetTableTests {
  @Test("Networks.md lists every preset with its numbers")
  func complete() throws {
    let page = try Repository.text(
      of: "Sources/CellophaneSimulation/CellophaneSimulation.docc/Networks.md")
    let rows = page.split(separator: "\n").filter {
      $0.contains("| WebPageTest |") || $0.contains("Lighthouse |") || $0.contains("DevTools |")
        || $0.hasPrefix("| `unlimited`") || $0.hasPrefix("| `vary-")
        || $0.hasPrefix("| `phone-")
    }
    let listed = rows.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        .prefix(4).map { $0.replacing(" ", with: "") }
    }
    let expected = NetworkProfile.presets.map { preset in
      func rate(_ bits: Int?) -> String { bits.map { number(Double($0) / 1_000) } ?? "nolimit" }
      return [
        "`\(preset.name)`", rate(preset.downBitsPerSecond), rate(preset.upBitsPerSecond),
        number(preset.roundTrip / .milliseconds(1)),
      ]
    }
    #expect(listed == expected)
  }

  private func number(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }
}
