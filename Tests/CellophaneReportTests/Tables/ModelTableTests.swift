internal import Cellophane
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
@testable internal import CellophaneSimulation

@Suite struct CacheComparisonTableTests {
  private static func compare(_ text: String, rules: [EvictionRule], share: Double) async throws
    -> CacheComparison
  {
    var reader = RequestReader(name: "a", format: nil, atMost: 100_000)
    try reader.read(Array(text.utf8))
    return try await CacheComparison(
      try reader.finish(), readBy: reader, rules: rules, sizes: [.share(share)])
  }

  @Test func `the table describes the trace and has the ratios of each policy and bound`() async throws {
    let text = (0..<60).map { "\($0) \($0 % 7) \($0 % 7 + 1)00\n" }.joined()
    let lines = try await Self.compare(text, rules: [.lru, .arc], share: 0.5).table().split(separator: "\n")
    #expect(lines.first == "60 requests for 7 objects, 2.8 kB in total (webcachesim)")
    #expect(lines.count == 10)
    #expect(lines.allSatisfy { $0.count <= 84 })
    #expect(lines[5].hasPrefix("  upper bound (PFOO-L)"))
    #expect(lines[9] == "upper bound: no cache of this size exceeds it; the best possible may be lower.")
  }

  @Test func `objects of equal sizes have the exact optimum only`() async throws {
    let text = (0..<60).map { "\($0) \($0 % 7) 100\n" }.joined()
    let table = try await Self.compare(text, rules: [.lru], share: 0.5).table()
    #expect(table.hasPrefix("60 requests for 7 objects, 700 B in total (webcachesim)\n"))
    #expect(table.contains("\n350 B\n") && table.contains("\n  best possible (Belady)"))
    #expect(table.contains("\nbest possible: ") && table.contains(" byte hits: "))
    #expect(!table.contains("upper bound"))
  }

  @Test func `a trace without sizes has objects as the unit, and no byte hits`() async throws {
    let table = try await Self.compare("a\nb\na\n", rules: [.lru], share: 0.5).table()
    #expect(
      table == """
        3 requests for 2 objects (txt)

        cache                                         hits
        1 object
          lru                                        0.0 %
          best possible (Belady)                    33.3 %

        hits: the share of the requests that found their object in the cache.
        All objects have size 1, so the size of a cache is a number of objects.
        best possible: no cache of this size has more hits, even if it knows all requests
        in advance.

        """)
  }

  @Test func `the table states that the first line was a heading`() async throws {
    let table = try await Self.compare("a,id,size\n1,7,5\n", rules: [.lru], share: 1).table()
    #expect(table.contains("(csv, first line read as a heading)"))
  }
}

@Suite struct ModelValidationTableTests {
  private static func transfer(
    _ target: String, _ occurrence: Int = 0, begin: Int, end: Int
  ) -> TransferTimes.Transfer {
    TransferTimes.Transfer(
      target: target, occurrence: occurrence, begin: .milliseconds(begin),
      answer: .milliseconds(begin + 5), end: .milliseconds(end), isComplete: true)
  }

  @Test func `the table has a line for each measured time, and none without transfers`() {
    let real = [Self.transfer("/a", begin: 100, end: 150), Self.transfer("/b", 1, begin: 300, end: 400)]
    let virtual = [Self.transfer("/b", 1, begin: 0, end: 90), Self.transfer("/a", begin: 0, end: 60)]
    let configuration = SimulationConfiguration()
    let validation = ModelValidation(configuration, real: real, virtual: virtual)
    let lines = validation.table().split(separator: "\n")
    #expect(lines.count == 8 && lines.last?.hasPrefix("Too few transfers for a judgment; ") == true)
    let whole = ModelValidation(
      configuration, real: real, virtual: virtual,
      blankRatio: ModelValidation.BlankRatio(real: 0.25, virtual: 0.5), lateFrames: 3)
    #expect(
      whole.table().contains(
        "\nBlank share: 25.0 % in real time, 50.0 % in virtual time; 3 late frames in real time\n"))
    let empty = ModelValidation(configuration, real: [], virtual: virtual)
    #expect(empty.table().split(separator: "\n").count == 3)
    let many = (0..<30).map { Self.transfer("/\($0)", begin: 100, end: 150) }
    #expect(!ModelValidation(configuration, real: many, virtual: many).table().contains("Too few"))
  }
}

@Suite struct DecodingCalibrationTableTests {
  @Test func `the table has a line for each size class, with the measured size`() async throws {
    var configuration = SimulationConfiguration()
    configuration.list.image = PixelSize(width: 300, height: 250)
    let calibration = try await DecodingCalibration(
      for: configuration, sizes: [24, 32, 40, 48].map { PixelSize(width: $0, height: $0) }, rounds: 1,
      timeline: Timeline())
    let lines = calibration.table().split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[2].contains("300x250"))
    #expect(Set(lines.map(\.count)).count == 1)
  }
}
