internal import Cellophane
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults
internal import SimulationTestSupport

@Suite struct ResultTableTests {
  @Test(arguments: [nil, ["http://a/1", "http://a/2"]] as [[String]?])
  func `the table fits 80 columns and aligns its numbers`(urls: [String]?) throws {
    let large = ResultFixture.run(
      waits: [ResultFixture.wait(60_000), ResultFixture.wait(90_000, false)],
      Dictionary(uniqueKeysWithValues: Metric.allCases.map { ($0, 123.0) }))
    let lines = try ResultFixture.result(large, naive: ResultFixture.run(waits: []), urls: urls).table(
      all: true
    )
    .split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("to repeat it: ") })
    let numbers = lines.filter { $0.hasPrefix("  ") }
    #expect(numbers.count > 20)
    #expect(Set(numbers.map(\.count)) == [60])
    #expect(numbers.allSatisfy { $0.hasSuffix("–") || $0.hasSuffix("0") || $0.hasSuffix("naive") })
    // Rows without an image at their own URL would otherwise look perfect.
    let note = "Images of your own: rows whose URL returned no image after the run are left"
    #expect(lines.contains { $0 == note } == (urls != nil))
  }

  @Test func `the heading has the height of the rows only if it is known`() {
    func heading(_ pictures: SimulationConfiguration.List.Pictures) -> Substring? {
      var configuration = SimulationConfiguration()
      configuration.list.rows = 60
      configuration.list.pictures = pictures
      return configuration.heading(isVirtual: true, loaders: "cellophane").first?.prefix { $0 != "," }
    }
    #expect(heading(.generated) == "60 rows of 120 px in 0 reused cells")
    #expect(heading(.listed(.none)) == "60 rows with listed heights in 0 reused cells")
    #expect(heading(.own([], allowsFiles: false)) == "60 rows in 0 reused cells")
  }

  @Test(arguments: [nil, ["http://a/1"]] as [[String]?])
  func `a table and a page name the density of the screen if it is not 1`(urls: [String]?) throws {
    for (density, words) in [(1, nil), (2, "2 device"), (2.625, "2.625 device")] as [(Double, String?)] {
      var configuration = SimulationConfiguration(time: urls == nil ? .virtual : .real)
      configuration.viewport.density = density
      let result = try ResultFixture.result(
        ResultFixture.run(waits: []), urls: urls, of: configuration, time: configuration.time)
      let (table, page) = (result.table(), try result.html())
      #expect(table.contains("pixels per px") == (words != nil))
      #expect(page.contains("pixels per px") == (words != nil))
      guard let words else { continue }
      #expect(table.contains("\nscreen of 412x823 px with \(words) pixels per px\n"))
      #expect(page.contains("was scrolled on a screen with \(words) pixels per px for "))
      #expect(page.contains("density: device pixels per px"))
    }
  }

  @Test func `only differences that the pairs of replicas show are marked`() {
    let lines = ResultFixture.paired().table(all: true).split(separator: "\n")
    func line(_ label: String) -> Substring? { lines.first { $0.hasPrefix("  " + label + " ") } }
    #expect(line("blank area (average)")?.hasSuffix("!56.0 %") == true)
    #expect(line("blank area (average)")?.contains("55.0 % ±2") == true)
    #expect(line("transfers")?.hasSuffix(" 11") == true)
    #expect(line("memory")?.hasSuffix("*30.0 %") == true)
    // The same number for all loaders is shown once.
    #expect(line("ideal memory, no prefetching")?.split(separator: " ").suffix(3) == ["40.0", "%", "same"])
    #expect(lines.contains("never: too few of these waits ended, as when rows leave without their image."))
    #expect(lines.contains("–: unknown, or not measured for this loader."))
    #expect(lines.contains("naive: a download for each cell, without caches."))
    #expect(
      lines.contains("*: better than cellophane; !: worse. No mark: the difference may be chance."))
    // Some metrics have no value in some replicas.
    #expect(
      lines.contains("±: half the width of the 95 % interval over replicas with a value (at most 10),"))
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains("row to the first with its image (by its pixels). A row that left before has"))
  }

  @Test func `the default table has six rows, six more and the verdict, and fits a screen`() throws {
    let table = ResultFixture.paired().table()
    let lines = table.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 36, "\(table)")
    let rows = lines.filter { $0.hasPrefix("  ") && !$0.allSatisfy { $0 == " " } && !$0.contains("naive") }
    #expect(
      rows.map { String($0.dropFirst(2).prefix(29)).split(separator: "  ").first ?? "" }
        == (TableRow.main + TableRow.more).map { $0.label.prefix(29) })
    #expect(TableRow.main.count == 6 && TableRow.more.count == 6)
    #expect(
      table.contains(
        "\nCellophane leaves 55.0 % of the visible image area blank, a naive loader 56.0 %:\n"
          + "1.0 points less (95 % interval 1.0 to 1.0).\n"), "\(table)")
    #expect(table.contains("\n--all prints all rows and their definitions.\n"))
  }

  @Test func `an interval has the unit of its number`() throws {
    func own(_ bytes: Double, _ spread: Double) throws -> String? {
      let values = (0..<12).map { bytes + ($0 % 2 == 0 ? spread : -spread) }
      let table = try ResultFixture.varied(0, values: [.bytesDown: values]).table()
      let line = table.split(separator: "\n").first { $0.hasPrefix("  bytes received") }
      return line?.split(separator: " ").dropFirst(2).prefix(3).joined(separator: " ")
    }
    #expect(try own(14_000_000, 1_000_000)?.contains(/^14.0 MB ±0\.[0-9]$/) == true)
    #expect(try own(600_000, 300_000)?.contains(/^600.0 kB ±[0-9]+\.[0-9]$/) == true)
    #expect(try own(14_000_000, 1_000) == "14.0 MB ±<0.1")
  }

  /// Every row of the short table is one of the complete table, so --list metrics names it.
  @Test func `the short table has no row of its own`() {
    let all = TableRow.sections.flatMap(\.rows).compactMap { row -> MetricPath? in
      if case .path(let path) = row.number { path } else { nil }
    }
    for row in TableRow.main + TableRow.more {
      guard case .path(let path) = row.number else {
        Issue.record("\(row.label)")
        continue
      }
      #expect(all.contains(path), "\(row.label)")
    }
  }

  @Test func `colors show which marked number is better, and change no text`() {
    let result = ResultFixture.paired()
    let (plain, colored) = (result.table(), result.table(usesColor: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
    #expect(
      colored.contains("\u{1B}[31m   !56.0 %\u{1B}[0m") && colored.contains("\u{1B}[32m   *30.0 %\u{1B}[0m"))
  }

  @Test func `a verdict claims no more than the replicas show`() throws {
    func verdict(_ own: Double, _ naive: Double, replicas: Int = 10) throws -> String {
      func run(_ share: Double) -> RunMeasurement { ResultFixture.run(waits: [], [.blankRatio: share]) }
      let result = try ResultFixture.result(run(own), naive: run(naive), replicas: replicas)
      return try #require(result.finding?.sentence)
    }
    let start = "Cellophane leaves 40.0 % of the visible image area blank, a naive loader "
    #expect(try verdict(0.4, 0.5) == start + "50.0 %: 10.0 points less (95 % interval 10.0 to 10.0).")
    #expect(try verdict(0.4, 0.4) == start + "40.0 %; no difference is confirmed.")
    #expect(try verdict(0.5, 0.25).contains(": 25.0 points more "))
    let one = try verdict(0.4, 0.5, replicas: 1)
    #expect(one == start + "50.0 %; one replica does not show whether this is chance.")
  }

  @Test func `the next step follows from what limits the blank share`() throws {
    func advice(_ own: Double, bound: Double, prefetch: PrefetchRule = .landing) throws -> String {
      var configuration = SimulationConfiguration()
      configuration.loader.prefetch = prefetch
      func run(_ share: Double) -> RunMeasurement { ResultFixture.run(waits: [], [.blankRatio: share]) }
      let result = try ResultFixture.result(
        run(own), oracle: run(bound), of: configuration, time: .virtual, replicas: 10)
      return try #require(result.finding?.advice)
    }
    #expect(try advice(0.1, bound: 0.09).contains("only smaller images or a faster network help"))
    #expect(try advice(0.1, bound: 0.02).contains("at most 8.0 points remain to gain. Compare settings"))
    #expect(try advice(0.1, bound: 0.02, prefetch: .none).contains("Prefetching is off"))
  }

  @Test func `a list of one row has a singular`() throws {
    let result = try ResultFixture.varied(0) { $0.list.rows = 1 }
    #expect(result.table().hasPrefix("1 row of 120 px in "))
    #expect(try result.html().contains("A list of 1 row was "))
  }

  @Test(
    arguments: [
      ([.misplacedEvents: 0, .duplicateInFlight: 0], false), ([.misplacedEvents: 1], true),
      ([.duplicateInFlight: 2], true),
    ] as [([Metric: Double], Bool)])
  func `the table has each broken invariant`(values: [Metric: Double], isBroken: Bool) throws {
    let result = try ResultFixture.result(ResultFixture.run(waits: [ResultFixture.wait(1)], values))
    #expect(result.table().contains("INVARIANT BROKEN") == isBroken)
  }

  @Test func `the table has the command that repeats a run with a deadlock`() throws {
    let stuck = try ResultFixture.result(
      ResultFixture.run(waits: [ResultFixture.wait(1)]), time: .virtual, waiting: [(3, 8)])
    let command = try #require(stuck.invariants.repeatBroken)
    #expect(
      stuck.table().contains(
        "INVARIANT BROKEN: slot 3 waits forever for the image of row 8\nto repeat it: \(command)\n"))
  }

  @Test func `the table and the page of a stopped run state the finished replicas`() throws {
    let run = ResultFixture.run(waits: [ResultFixture.wait(1)])
    let stopped = try ResultFixture.result(run, time: .virtual, replicas: 4, planned: 50)
    #expect(stopped.table().hasPrefix("INCOMPLETE: stopped by a signal: 4 of 50 replicas"))
    #expect(try stopped.html().contains("Incomplete, stopped by a signal: 4 of 50 replicas"))
    let complete = try ResultFixture.result(run, time: .virtual, replicas: 4)
    #expect(
      complete.table(all: true).contains(
        "\nrow to the first with its image. A row that left before has\n"))
    #expect(!complete.table().contains("INCOMPLETE"))
    #expect(try !complete.html().contains("Incomplete"))
  }

  @Test func `a run with previews has a row for them, and a run without previews has none`() throws {
    var configuration = SimulationConfiguration()
    let run = ResultFixture.run(waits: [ResultFixture.wait(1)], [.previewRatio: 0.1])
    let without = try ResultFixture.result(run, of: configuration, time: .virtual)
    #expect(!without.table().contains("preview"))
    configuration.loader.previews = true
    var with = try ResultFixture.result(run, of: configuration, time: .virtual)
    with.recording = try ScriptedRun(seconds: 5).recording()
    #expect(with.table(all: true).contains("area with only a preview"))
    #expect(try with.html().contains("A pale tile is a preview."))
  }
}
