import Cellophane
import Testing

@testable import CellophaneReport
@testable import CellophaneResults
internal import SimulationTestSupport

@Suite struct HeatScaleTests {
  @Test(
    arguments: [
      (.lower, [0, 0, 1, 2, 4, 4]), (.higher, [4, 4, 3, 2, 0, 0]), (nil, [0, 0, 1, 2, 4, 4]),
    ] as [(Metric.Direction?, [Int])])
  func `a better value has a weaker shade`(better: Metric.Direction?, shades: [Int]) throws {
    let scale = try #require(HeatScale([40, 10, 20], better: better) { "\($0)" })
    // A value outside the scale has the shade of the nearer end.
    #expect([0, 10, 20, 25, 40, 50].map { scale.shade(of: $0, among: 5) } == shades)
  }

  @Test func `equal values have no scale`() {
    for values in [[], [3, 3, .nan], [3.01, 2.99]] {
      #expect(HeatScale(values, better: .lower) { "\(Int($0.rounded()))" } == nil, "\(values)")
    }
  }

  @Test func `numbers with the same text have the same shade`() throws {
    // A boundary between two of the shades is at 20.
    let scale = try #require(HeatScale([10, 19.9, 20.1, 30, 80], better: .lower) { "\(Int($0.rounded()))" })
    #expect(scale.shade(of: 19.9, among: 7) == scale.shade(of: 20.1, among: 7))
    #expect(scale.shade(of: 30, among: 7) == 2)
  }

  @Test func `a small difference is not shaded from the weakest to the strongest shade`() throws {
    let scale = try #require(HeatScale([0.247, 0.248], better: .lower, format: Quantity.percent))
    #expect([0.247, 0.248, 0.2966].map { scale.shade(of: $0, among: 7) } == [0, 0, 6])
    #expect(Quantity.percent(scale.end) == "29.7 %")
  }
}

@Suite struct HeatMapTextTests {
  /// Returns a sweep of memory and prefetching. The blank share of each case is its number in `blank` plus 0.005.
  static func grid(_ blank: [[Double]]) throws -> StudyResult {
    let rows = blank.indices.map { "\(($0 + 1) * 1_000_000)" }
    let columns = blank[0].indices.map { "rows:\($0 + 1)" }
    let study = try StudyFixture.sweep([("memory", rows), ("prefetch", columns)])
    return result(study, blank.flatMap(\.self))
  }

  /// Returns the result of `study` with the blank shares `blank`, without playing it. The mean over two replicas is
  /// larger by 0.005.
  static func result(
    _ study: Study, _ blank: [Double], replicas: Int = 2, misplaced: Int = 0
  ) -> StudyResult {
    let cases = zip(study.cases, blank).enumerated().map { index, pair in
      let (played, share) = pair
      func number(_ value: Double, _ first: Double, spread: Double = 0) -> StudyResult.Number {
        let change = value - first
        return StudyResult.Number(
          mean: value + spread / 2,
          interval: replicas > 1 ? ConfidenceInterval(low: value, high: value + spread) : nil,
          difference: index == 0
            ? nil
            : MetricDifference(
              mean: change,
              replicas > 1
                ? Estimate(
                  interval: ConfidenceInterval(low: change, high: change), p: change == 0 ? 1 : 0) : nil))
      }
      var metrics: [MetricPath: StudyResult.Number] = [:]
      for path in MetricPath.all {
        metrics[path] = StudyResult.Number(mean: nil, interval: nil, difference: nil)
      }
      metrics[.metric(.blankRatio)] = number(share, blank[0], spread: 0.01)
      metrics[.metric(.memoryHits)] = number(1 - share, 1 - blank[0])
      metrics[.metric(.bytesDown)] = number(share * 1e6, blank[0] * 1e6)
      return StudyResult.Case(
        values: played.values, reproduce: played.configuration.command, fingerprint: "fnv1a:07",
        metrics: metrics,
        invariants: SimulationResult.Invariants(
          misplaced: index == 0 ? misplaced : 0, duplicateInFlight: 0, deadlocks: 0, waiting: [], leftOver: 0,
          repeatBroken: nil))
    }
    return StudyResult(study, cases, replicas: replicas, meanBytes: 40_000, wall: .seconds(1))
  }

  /// Returns the escape sequences of `text`, and the text without them.
  private static func separated(_ text: String) -> (escapes: [Substring], text: String) {
    let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    let escapes = parts.dropFirst().map { $0.prefix { $0 != "m" } }
    return (
      escapes, String(parts[0]) + parts.dropFirst().map { $0.drop { $0 != "m" }.dropFirst() }.joined()
    )
  }

  /// Returns the lines of `table` from the title of the heat map on.
  private static func map(_ table: String) -> [Substring] {
    Array(table.split(separator: "\n").drop { !$0.hasPrefix("blank share") })
  }

  @Test func `without color, blocks after the numbers show their shades`() throws {
    let table = try Self.grid([[0.2, 0.4], [0.1, 0.3]]).table()
    #expect(!table.contains("\u{1B}"))
    let lines = Self.map(table)
    #expect(lines[0] == "blank share of the image area; columns: prefetch")
    // The marks compare each case with the first.
    #expect(lines[2].hasPrefix("1000000") && lines[2].contains(" 20.5 % ±0.5 ░░ "))
    #expect(lines[2].hasSuffix(" !40.5 % ±0.5 ██"))
    #expect(lines[3].hasSuffix(" !30.5 % ±0.5 ▓▓") && lines[3].contains(" *10.5 % ±0.5    "))
    #expect(lines[4] == "Shaded from the best, 10.5 %, to 40.5 %: ░░ ▒▒ ▓▓ ██")
    #expect(lines.allSatisfy { $0.last != " " })
  }

  @Test func `with color, the background of each number shows its shade`() throws {
    let result = try Self.grid([[0.2, 0.4], [0.1, 0.3]])
    let lines = Self.map(result.table(usesColor: true)).map { Self.separated(String($0)) }
    func backgrounds(_ line: (escapes: [Substring], text: String)) -> [Int] {
      line.escapes.compactMap { $0.split(separator: ";").last.flatMap { Int($0) } }.filter { $0 > 0 }
    }
    #expect(backgrounds(lines[2]) == [ShadedText.colors[2], ShadedText.colors[6]])
    #expect(backgrounds(lines[3]) == [ShadedText.colors[0], ShadedText.colors[4]])
    #expect(lines[4].text == "Shaded from the best,  10.5 %  to  40.5 % ")
    #expect(backgrounds(lines[4]) == [ShadedText.colors[0], ShadedText.colors[6]])
    // Every color has black text and ends with its cell.
    for line in lines {
      #expect(
        line.escapes.enumerated().allSatisfy { $0 % 2 == 1 ? $1 == "[0" : $1.hasPrefix("[38;5;16;48;5;") })
      #expect(line.escapes.count % 2 == 0)
    }
    let plain = Self.map(result.table()).filter { !$0.hasPrefix("Shaded") }
    let numbers = { (text: String) in text.split { " ░▒▓█".contains($0) } }
    #expect(
      lines.map(\.text).filter { !$0.hasPrefix("Shaded") }.map(numbers) == plain.map { numbers(String($0)) })
  }

  /// Black has a contrast of at least 4.5 to every color (WCAG 2.2, 1.4.3).
  @Test(arguments: ShadedText.colors)
  func `numbers are readable on every color`(color: Int) {
    // The 256-color palette has a cube from color 16 on, with six steps for each channel.
    let channels = [36, 6, 1].map { [0.0, 95, 135, 175, 215, 255][(color - 16) / $0 % 6] / 255 }
    let luminance = ReportStyleTests.luminance(channels)
    #expect((luminance + 0.05) / 0.05 >= 4.5)
  }

  @Test func `a table with equal numbers is not shaded`() throws {
    for usesColor in [false, true] {
      let table = try Self.grid([[0.2, 0.2]]).table(usesColor: usesColor)
      #expect(!table.contains("Shaded") && !table.contains("\u{1B}") && !table.contains("░"))
    }
  }

  /// A stopped study has no numbers for some cells.
  @Test func `a cell without a number has no shade`() throws {
    let study = try StudyFixture.sweep([("memory", ["1", "2"]), ("prefetch", ["none", "rows:8"])])
    let result = Self.result(study, [0.2, 0.4, 0.1])
    let lines = Self.map(result.table(usesColor: true)).map { Self.separated(String($0)) }
    #expect(lines[3].text.hasSuffix(" –") && lines[3].escapes.count == 2)
  }
}
