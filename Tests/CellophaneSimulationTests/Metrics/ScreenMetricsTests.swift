@testable import CellophaneSimulation
import Testing

/// A run drawn by hand: one string a row, one character a frame of 10 ms. A space is out of sight, `.` blank,
/// `#` its own picture, `x` another's.
@Suite struct ScreenMetricsTests {
  static func record(_ rows: [String], velocities: [Double] = [], late: [Int] = []) -> ScreenRecord {
    var record = ScreenRecord()
    let count = rows.map(\.count).max() ?? 0
    for frame in 0..<count {
      let cells = rows.enumerated().compactMap { row, line -> ScreenRecord.Cell? in
        let shown: PictureIdentity?
        switch Array(line)[frame] {
        case " ": return nil
        case "#": shown = .row(row)
        case "x": shown = .row(row + 1)
        default: shown = nil
        }
        return ScreenRecord.Cell(row: row, area: Double(100 * (row + 1)), shown: shown)
      }
      record.frames.append(
        ScreenRecord.Frame(
          time: .milliseconds(10 * frame), velocity: frame < velocities.count ? velocities[frame] : 0,
          late: .milliseconds(frame < late.count ? late[frame] : 0), cells: cells))
    }
    record.end = .milliseconds(10 * count)
    return record
  }

  static func metrics(_ rows: [String], velocities: [Double] = []) -> ScreenMetrics {
    ScreenMetrics(record(rows, velocities: velocities), expected: { .row($0) })
  }

  struct Drawing: Sendable {
    let rows: [String]
    let blank: Double?
    let waits: [KaplanMeier.Wait]
    let ready, neverSeen: Double?
  }

  static func over(_ milliseconds: Int) -> KaplanMeier.Wait {
    .init(.milliseconds(milliseconds), isOver: true)
  }
  static func cut(_ milliseconds: Int) -> KaplanMeier.Wait {
    .init(.milliseconds(milliseconds), isOver: false)
  }

  static let drawings = [
    Drawing(rows: ["####"], blank: 0, waits: [over(0)], ready: 1, neverSeen: nil),
    Drawing(rows: ["...."], blank: 1, waits: [cut(40)], ready: 0, neverSeen: nil),
    Drawing(rows: ["..##"], blank: 0.5, waits: [over(20)], ready: 0, neverSeen: nil),
    // Row 1 is twice as large: 300 of 400·100 + 400·200.
    Drawing(rows: [".###", ".###"], blank: 0.25, waits: [over(10), over(10)], ready: 0, neverSeen: nil),
    Drawing(
      rows: ["..##", "####"], blank: 200.0 / 1200, waits: [over(20), over(0)], ready: 0.5, neverSeen: nil),
    // Two appearances of one row, the first cut short.
    Drawing(rows: ["..  ##"], blank: 0.5, waits: [cut(20), over(0)], ready: 0.5, neverSeen: nil),
    Drawing(
      rows: ["..........", "#########."], blank: (1000 + 200) / 3000.0, waits: [cut(100), over(0)],
      ready: 0.5, neverSeen: 0.5),
    Drawing(rows: ["    "], blank: nil, waits: [], ready: nil, neverSeen: nil),
  ]

  @Test(arguments: drawings) func `blank area and waits`(drawing: Drawing) {
    let metrics = Self.metrics(drawing.rows)
    #expect(metrics.blankRatio == drawing.blank)
    #expect(metrics.timeToImage == KaplanMeier(drawing.waits))
    #expect(metrics.readyOnAppear == drawing.ready)
    #expect(metrics.neverSeen == drawing.neverSeen)
    #expect(metrics.appearances == drawing.waits.count)
  }

  @Test func `a wrong picture is blank and counted`() {
    var record = Self.record(["x.#", "###"])
    record.displays = [
      ScreenRecord.Display(row: 0, identity: .row(1)), ScreenRecord.Display(row: 0, identity: .row(0)),
      ScreenRecord.Display(row: 1, identity: .row(1)), ScreenRecord.Display(row: 9, identity: .unreadable),
    ]
    let metrics = ScreenMetrics(record, expected: { .row($0) })
    #expect(metrics.misplaced == 2)
    #expect(metrics.misplacedTime == .milliseconds(10))
    #expect(metrics.blankArea == 100 * 0.01 * 2)
    #expect(metrics.rowsSeen == [0, 1])
  }

  @Test func `rest is what moves at less than 50 px a second`() {
    let metrics = Self.metrics(["..##"], velocities: [0, -900, 49, 51])
    #expect(metrics.blankRatioAtRest == 0.5)
    #expect(Self.metrics(["..##"], velocities: [60, 60, 60, 60]).blankRatioAtRest == nil)
  }

  @Test func `hitches count while the list moves, for each second of it`() throws {
    let record = Self.record(["####"], velocities: [100, 100, 0, 100], late: [0, 16, 16, 33])
    let metrics = ScreenMetrics(record, expected: { .row($0) })
    #expect(metrics.lateFrames == 3)
    #expect(abs(try #require(metrics.hitches) - (16 + 33) / 0.03) < 1e-9)
    #expect(Self.metrics(["####"]).hitches == nil)
  }

  @Test func `rows without a known picture do not count, but are told when they showed one`() {
    var record = Self.record(["..xx", "####"])
    record.displays = [
      ScreenRecord.Display(row: 0, identity: .row(1)), ScreenRecord.Display(row: 1, identity: .row(1)),
    ]
    let metrics = ScreenMetrics(record, expected: { $0 == 0 ? nil : .row($0) })
    #expect(metrics.unverified == 1)
    #expect(metrics.misplaced == 0)
    #expect(metrics.blankRatio == 0)
    #expect(metrics.appearances == 1)
  }
}
