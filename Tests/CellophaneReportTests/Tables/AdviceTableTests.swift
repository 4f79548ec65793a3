import Testing

@testable import CellophaneReport
@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct AdviceTableTests {
  @Test func `the table starts with the recommendation, its price and its regret`() throws {
    var advice = try AdviceFixture.advice()
    advice.command = "cellophane simulate --prefetch rows:16 --concurrency 4"
    let lines = advice.table().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines[0].hasPrefix(
        "Load 16 rows ahead, with 4 concurrent transfers: 4.9 % of the image area is blank instead of 6.9 % (-2.0 pp "
          + "before rounding, 95 % interval -2.0 pp to -2.0 pp)."), "\(lines[0])")
    #expect(
      lines[1]
        == "Price: 13.0 MB a minute (+2.0), of which 1.0 MB (0.0) are never shown.")
    #expect(
      lines[2]
        == "Under 2 conditions, the blank share differs from that of the configured settings by -2.0 pp (as given) to +0.2 pp "
        + "(half the rate).")
    #expect(
      lines[3]
        == "Robust: the policy, with the configured memory and transfers, is within 0.1 pp of the best compared one under 1 of 2 "
        + "conditions; at worst 1.0 pp above it (half the rate).")
    #expect(
      lines.contains("replicas to choose: 5; to confirm: 20, seeds from 21 on"))
    #expect(lines.contains { $0.hasPrefix("+ none ") && $0.hasSuffix(" 12.5 pp   15.0 pp  as given") })
    #expect(lines.contains { $0.hasPrefix("> rows:16 ") && $0.hasSuffix(" 0.5 pp    1.0 pp  half the rate") })
    #expect(lines.contains { $0.hasPrefix("+ landing = ") })
    // Not on the frontier, and therefore not compared.
    #expect(lines.contains { $0.hasPrefix("  screens:2.5,1.5 ") && $0.hasSuffix("      2.0") })
    #expect(
      lines.contains(
        "memory: 0 B 9.0 %, 1 MiB 5.1 %, 2 MiB 5.0 %; keep 2 MiB: no other value is better by more than 0.1 pp"
      ))
    #expect(
      lines.contains("concurrency: 4 5.0 %, 6 7.0 %, 8 6.0 %; use 4: the smallest within 0.1 pp of the best"))
    #expect(lines.suffix(2) == [advice.command ?? "", ""])
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test func `kept settings have no difference`() throws {
    let lines = try AdviceFixture.kept().table().split(separator: "\n")
    #expect(lines[0] == "Keep landing: 7.0 % of the image area is blank.")
    #expect(lines[1] == "Price: 11.0 MB a minute, of which 1.1 MB are never shown.")
    #expect(
      lines[2]
        == "Robust: the policy, with the configured memory and transfers, is within 0.1 pp of the best compared one under 1 of 1 conditions."
    )
    #expect(lines.contains("replicas to choose: 5"))
  }

  @Test func `fewer than ten replicas are stated`() throws {
    let table = try AdviceFixture.advice(replicas: 9).table()
    #expect(table.contains("; fewer than ten replicas give no interval; not shown to differ)."), "\(table)")
  }

  @Test func `settings without a shown image are not recommended`() throws {
    let lines = try AdviceFixture.kept(blank: 1).table().split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[0].contains("every compared policy leaves at least 100.0 % blank. Smaller images"), "\(lines)")
    #expect(lines[1].isEmpty)
  }

  @Test(arguments: [
    (0, "0 B"), (500, "500 B"), (67_108_864, "64 MiB"), (1 << 31, "2 GiB"), (64_000_000, "64.0 MB"),
  ])
  func `a size of a cache has the unit in which it is whole`(bytes: Int, text: String) {
    #expect(Quantity.capacity(bytes) == text)
  }

  @Test func `a difference that may be chance and a broken invariant are stated`() throws {
    let table = try AdviceFixture.advice(gain: 0.0002, broken: ["1 wrong images shown"]).table()
    #expect(table.contains("; not shown to differ)."), "\(table)")
    #expect(table.hasSuffix("INVARIANT BROKEN: 1 wrong images shown\n"))
  }
}
