internal import Cellophane
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough)
struct ComparisonTableTests {
  private static func table(_ first: SimulationResult, _ second: SimulationResult) throws -> String {
    try ResultComparison(first, second).table(["a", "b"], all: true)
  }

  @Test func `the table has at most 84 columns and names confirmed differences`() throws {
    let table = try ResultComparison(ResultFixture.varied(0), ResultFixture.varied(-0.01, wait: 3))
      .table(["a", "b"])
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 84 })
    #expect(table.contains("\n*: better than the first result; !: worse. No mark: "), "\(table)")
    #expect(table.contains(/blank area \(average\) +65.0 % +\*64.0 % +-1.0 pp\n/), "\(table)")
    #expect(table.contains("\n--all prints all rows.\n"))
  }

  @Test func `the table of equal results states that they confirm no difference`() throws {
    #expect(
      try Self.table(ResultFixture.varied(0), ResultFixture.varied(0)).contains(
        "\nAll differences may be chance, or are below "))
  }

  @Test(
    arguments: zip(
      [
        { $0.seed = 9 }, { $0.list.rows = 7 }, { $0.viewport.refreshRate = 120 },
        { $0.gesture.physics = .android }, { $0.duration = .seconds(1) },
        { $0.events = [ScheduledEvent(.rotation, at: .seconds(1))] },
      ] as [@Sendable (inout SimulationConfiguration) -> Void],
      [
        "different seeds, starting at 1 and at 9", "different lists", "different viewports",
        "different gestures", "different durations", "different events",
      ]))
  func `the table states why results are unpaired`(
    configure: @Sendable (inout SimulationConfiguration) -> Void, reason: String
  ) throws {
    #expect(
      try Self.table(ResultFixture.varied(0), ResultFixture.varied(-0.01, configure: configure)).contains(
        reason))
  }

  @Test func `the table lists the settings that differ`() throws {
    let first = try ResultFixture.varied(0) { $0.seed = .max - 1 }
    let second = try ResultFixture.varied(0) {
      $0.cache.memoryBytes = 5_000_000
      $0.seed = .max
    }
    #expect(try Self.table(first, second).contains("settings that differ\n  cache.memory_bytes "))
    #expect(try Self.table(first, first).contains("identical settings"))
  }

  @Test func `totals of runs with different durations are shown per second`() throws {
    let (short, long) = (
      try ResultFixture.varied(0) { $0.duration = .seconds(6) }, try ResultFixture.varied(0)
    )
    let table = try Self.table(short, long)
    #expect(table.contains("The runs last 6 s and 60 s: totals are compared per second."))
    #expect(table.split(separator: "\n").contains { $0.contains("transfers  ") && $0.contains("0.917/s") })
    #expect(try !Self.table(long, long).contains("per second"))
  }

  @Test func `a difference of two shares is in percentage points`() throws {
    let table = try Self.table(ResultFixture.varied(0), ResultFixture.varied(-0.01))
    let line = table.split(separator: "\n").first { $0.contains("blank area (average)") }
    #expect(line?.hasSuffix("65.0 %     *64.0 %      -1.0 pp") == true, "\(line ?? "")")
  }

  @Test
  func `the table shows a quantile that too few waits reach as the table of the run, and no difference`()
    throws
  {
    let (known, cutOff) = (try ResultFixture.varied(0), try ResultFixture.varied(0, endsWaits: false))
    let table = try Self.table(known, cutOff)
    func columns(of text: String) -> [Substring] {
      let line = text.split(separator: "\n").first { $0.hasPrefix("  p75 ") }
      return line?.split(separator: " ").dropFirst().map(\.self) ?? []
    }
    // In the table of the run, the column of cellophane.
    let own = columns(of: cutOff.table(all: true)).prefix(1)
    #expect(own.first == "never", "\(own)")
    let compared = columns(of: table)
    #expect(Array(compared.dropFirst(2).prefix(2)) == own + ["–"], "\(compared)")
    #expect(
      table.contains("\nnever: too few of these waits ended, as when rows leave without their image.\n"))
    #expect(table.contains(/complete after start\/stop, p50 +– +– +–\n/))
    // The JSON has only known numbers.
    let json = String(decoding: try ResultComparison(known, cutOff).json(), as: UTF8.self)
    #expect(!json.contains("ound\""))
  }

  @Test(arguments: [(1, "One replica does not show"), (9, "9 replicas do not show")])
  func `the table of few replicas states that they confirm nothing`(count: Int, words: String) throws {
    #expect(
      try Self.table(ResultFixture.varied(0, replicas: count), ResultFixture.varied(-5, replicas: count))
        .contains(words))
  }

  @Test func `the table names the pairs behind a difference that is not the difference of its columns`()
    throws
  {
    func result(_ timely: Double?..., seed: UInt64 = 1) throws -> SimulationResult {
      let values = timely + Array(repeating: nil, count: 12 - timely.count)
      return try ResultFixture.varied(0, values: [.prefetchTimely: values]) { $0.seed = seed }
    }
    let first = try result(0.1, 0.5, 0.9)
    let table = try Self.table(first, result(0.4, 0.4))
    #expect(table.contains(/prefetched in time +50.0 % +40.0 % +\+10.0 pp  2\/12\n/), "\(table)")
    #expect(
      table.contains("\nn/12: the difference is the mean over the n of 12 pairs in which both results\n"))
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 84 })
    // If the same replicas have values in both, the difference is that of the columns.
    #expect(try !Self.table(first, first).contains("n/12"))
    // Without any pair there is no difference.
    #expect(try Self.table(first, result()).contains(/prefetched in time +50.0 % +– +–\n/))
    // Unpaired results have the difference of the means.
    let unpaired = try Self.table(first, result(0.2, seed: 9))
    #expect(unpaired.contains(/prefetched in time +50.0 % +20.0 % +-30.0 pp\n/) && !unpaired.contains("n/12"))
  }

  @Test func `the table states which result is incomplete`() throws {
    let (stopped, complete) = (try ResultFixture.varied(0, planned: 50), try ResultFixture.varied(0))
    #expect(
      try Self.table(complete, stopped).hasPrefix(
        "INCOMPLETE: the second result, stopped by a signal: 12 of 50 replicas finished;\n"
          + "the numbers cover only these\nfirst:  a\n"))
    let both = try Self.table(stopped, stopped)
    #expect(
      both.hasPrefix("INCOMPLETE: the first result, ") && both.contains("\nINCOMPLETE: the second result, "))
    #expect(try !Self.table(complete, complete).contains("INCOMPLETE"))
  }

  @Test(arguments: [1, 12])
  func `the table of unpaired results explains intervals only if there are some`(count: Int) throws {
    let other = try ResultFixture.varied(0, replicas: count) { $0.seed = 9 }
    let table = try Self.table(ResultFixture.varied(0, replicas: count), other)
    #expect(table.contains("\nReplicas are not paired: different seeds, starting at 1 and at 9.\n"))
    #expect(table.contains("The intervals assume independent runs") == (count == 12))
  }
}
