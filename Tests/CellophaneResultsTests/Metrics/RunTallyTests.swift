import Cellophane
@testable import CellophaneResults
import Testing

/// Tests of runs that are drawn as text.
@Suite struct RunTallyTests {
  struct Drawing: Sendable {
    let rows: [String]
    let blank: Double?
    let waits: [(vsyncs: Int, hasEnded: Bool)]
    let ready, neverSeen: Double?
  }

  static func ended(_ vsyncs: Int) -> (vsyncs: Int, hasEnded: Bool) { (vsyncs, true) }
  static func cutShort(_ vsyncs: Int) -> (vsyncs: Int, hasEnded: Bool) { (vsyncs, false) }

  static let drawings = [
    Drawing(rows: ["####"], blank: 0, waits: [ended(0)], ready: 1, neverSeen: nil),
    Drawing(rows: ["...."], blank: 1, waits: [cutShort(4)], ready: 0, neverSeen: nil),
    Drawing(rows: ["..##"], blank: 0.5, waits: [ended(2)], ready: 0, neverSeen: nil),
    // Row 1 is twice as large: 300 px² of 4·100 + 4·200 are blank.
    Drawing(rows: [".###", ".###"], blank: 0.25, waits: [ended(1), ended(1)], ready: 0, neverSeen: nil),
    Drawing(
      rows: ["..##", "####"], blank: 200.0 / 1200, waits: [ended(2), ended(0)], ready: 0.5, neverSeen: nil),
    // Two appearances of one row, the first with a wait that was cut short.
    Drawing(rows: ["..  ##"], blank: 0.5, waits: [cutShort(2), ended(0)], ready: 0.5, neverSeen: nil),
    Drawing(
      rows: ["..........", "#########."], blank: (1000 + 200) / 3000.0, waits: [cutShort(10), ended(0)],
      ready: 0.5, neverSeen: 0.5),
    // The first image can be the wrong one.
    Drawing(rows: ["xx##"], blank: 0.5, waits: [ended(2)], ready: 0, neverSeen: nil),
    Drawing(rows: ["    "], blank: nil, waits: [], ready: nil, neverSeen: nil),
  ]

  @Test(arguments: drawings, [numbers, .afterwards])
  func `blank area and waits are those of the drawing, with either kind of evidence`(
    drawing: Drawing, evidence: RowTally.Evidence
  ) {
    let run = Self.measure(Self.frames(drawing.rows), evidence: evidence).overall
    var waits = WaitHistogram()
    for (vsyncs, hasEnded) in drawing.waits { waits.add(vsyncs, hasEnded: hasEnded) }
    #expect(run[.blankRatio] == drawing.blank)
    #expect(run.waits[.timeToImage] == waits)
    #expect(run[.readyOnAppear] == drawing.ready)
    #expect(run[.neverSeen] == drawing.neverSeen)
    #expect(run[.appearances] == Double(drawing.waits.count))
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `images verified after the run give the same metrics as images verified immediately`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let rows = (0..<6).map { row in
      String((0..<60).map { vsync in Array("  ..##x")[Int(draw.bits("\(row)", vsync / 3) % 7)] })
    }
    let velocities = (0..<60).map { draw.uniform(in: -80...80, "velocity", $0 / 5) }
    let frames = Self.frames(rows, velocities: velocities)
    let (first, second) = (Self.measure(frames), Self.measure(frames, evidence: .afterwards))
    // Only numbered images show their version. So the stale time of the user's images is unknown.
    for metric in Metric.allCases where metric != .staleMilliseconds {
      let (one, other) = (first.overall[metric], second.overall[metric])
      #expect(abs((one ?? -1) - (other ?? -1)) < 1e-9, "\(metric), seed \(seed)")
    }
    #expect(second.overall[.staleMilliseconds] == nil, "seed \(seed)")
    #expect(first.overall.waits[.timeToImage] == second.overall.waits[.timeToImage], "seed \(seed)")
  }

  /// Applies the definitions a second time, to all frames after the run.
  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `sums during the run equal sums over all frames`(seed: UInt64) throws {
    let draw = SeededDraw(seed: seed)
    let rows = (0..<5).map { row in
      String((0..<80).map { vsync in Array(" ..###x")[Int(draw.bits("\(row)", vsync / 4) % 7)] })
    }
    let run = Self.measure(Self.frames(rows)).overall
    var (area, blank, misplaced, waits) = (0, 0, 0, WaitHistogram())
    for (row, states) in rows.enumerated() {
      for cell in states where cell != " " {
        area += 100 * (row + 1)
        if cell != "#" { blank += 100 * (row + 1) }
        if cell == "x" { misplaced += 10 }
      }
      for appearance in states.split(separator: " ") {
        let wait = appearance.prefix { $0 != "#" }.count
        waits.add(wait, hasEnded: wait < appearance.count)
      }
    }
    #expect(run[.blankRatio] == Double(blank) / Double(area), "seed \(seed)")
    #expect(run[.blankPixelSeconds] == Double(blank) * 0.01)
    #expect(run[.misplacedMilliseconds] == Double(misplaced))
    #expect(run.waits[.timeToImage] == waits)
  }

  @Test func `a wrong image counts when its slot begins to show it`() {
    func shown(_ row: Int, _ picture: PictureIdentity) -> (Int, RunEvent) {
      (0, .displayed(slot: 0, row: row, .shown(picture, from: .network)))
    }
    for evidence in [Self.numbers, .afterwards] {
      let run = Self.measure(
        Self.frames(["#"]), evidence: evidence,
        events: [shown(0, .row(1)), shown(0, .row(0)), shown(1, .row(1)), shown(9, .unreadable)]
      ).overall
      #expect(run[.misplacedEvents] == 2)
    }
  }

  @Test func `a preview of another row is a wrong image, and an unverifiable preview is not`() {
    func misplaced(_ picture: PictureIdentity, _ evidence: RowTally.Evidence) -> Double? {
      Self.measure(
        Self.frames([".."]), evidence: evidence,
        events: [(0, .bound(slot: 0, row: 0)), (1, .displayed(slot: 0, row: 0, .preview(picture)))]
      ).overall[.misplacedEvents]
    }
    #expect(misplaced(.row(0), Self.numbers) == 0)
    #expect(misplaced(.row(1), Self.numbers) == 1)
    #expect(misplaced(.unreadable, Self.numbers) == 0)
    #expect(misplaced(.pixels(7), .afterwards) == 0)
  }

  /// The bytes of unseen images count as wasted, so the tally must find every seen row.
  @Test(arguments: [numbers, .afterwards])
  func `a row is seen if it shows its image in its first frame, in a slot that showed another image`(
    evidence: RowTally.Evidence
  ) {
    var rows = RowTally(evidence, noticeable: 1)
    for (vsync, (row, shown)) in [(0, 0), (1, 1), (2, 1), (3, 3), (1, 1)].enumerated() {
      let cell = ScreenFrame.Cell(row: row, slot: 0, area: 1, shown: .row(shown))
      let frame = ScreenFrame(vsync: vsync, offset: 0, velocity: 0, late: 0, cells: [cell])
      _ = rows.add(frame, at: .zero, until: vsync + 1, in: .scroll, isAtRest: true)
    }
    #expect(rows.totals { .row($0) }.seen == [0, 1, 3])
  }

  @Test func `rows without a known image are left out, and count as unverified if they showed an image`() {
    let run = Self.measure(
      Self.frames(["..xx", "####"]), evidence: .afterwards,
      events: [(2, .displayed(slot: 0, row: 0, .shown(.row(1), from: .disk)))]
    ) { $0 == 0 ? nil : .row($0) }.overall
    #expect(run[.unverifiedRows] == 1)
    #expect(run[.misplacedEvents] == 0)
    #expect(run[.blankRatio] == 0)
    #expect(run[.appearances] == 1)
  }

  @Test func `a row appears again when its slot is bound again, as after a rotation`() {
    let run = Self.measure(Self.frames(["..##.###"]), events: [(4, .bound(slot: 0, row: 0))]).overall
    var waits = WaitHistogram()
    waits.add(2, hasEnded: true)
    waits.add(1, hasEnded: true)
    #expect(run.waits[.timeToImage] == waits)
    #expect(run[.appearances] == 2)
  }

  @Test func `a list is at rest below 50 px per second`() {
    func atRest(_ velocities: [Double]) -> Double? {
      Self.measure(Self.frames(["..##"], velocities: velocities)).overall[.blankRatioAtRest]
    }
    #expect(atRest([0, -900, 49, 51]) == 0.5)
    #expect(atRest([60, 60, 60, 60]) == nil)
  }

  @Test func `the first screen is blank until the list moves, and the rest is apart`() {
    func blank(_ velocities: [Double]) -> [Double?] {
      let run = Self.measure(Self.frames(["...#..##"], velocities: velocities)).overall
      return [run[.blankRatioCold], run[.blankRatioWarm]]
    }
    #expect(blank([0, 0, 0, 0, 900, 900, 0, 0]) == [0.75, 0.5])
    #expect(blank([0, 0, 0, 0, 0, 0, 0, 0]) == [5.0 / 8, nil])
  }

  @Test func `pop-ins at rest and pop-ins of a moving list are counted separately`() {
    let run = Self.measure(Self.frames([".###", "..##", "####"], velocities: [0, 900, 10, 0])).overall
    #expect(run[.popIns] == 2)
    #expect(run[.popInsMoving] == 1)
    #expect(run[.popInsAtRest] == 1)
    // One in 40 ms.
    #expect(run[.popInsAtRestPerMinute] == 1500)
  }

  @Test func `hitches count per second of motion`() throws {
    let run = Self.measure(Self.frames(["####"], velocities: [100, 100, 0, 100], late: [0, 1, 1, 2])).overall
    #expect(run[.lateFrames] == 3)
    #expect(abs(try #require(run[.hitches]) - (10 + 20) / 0.03) < 1e-9)
    #expect(Self.measure(Self.frames(["####"])).overall[.hitches] == nil)
  }

  @Test func `an image that disappears and returns is a flicker, in a slot of the same row`() {
    func events(_ states: [(Int, PictureIdentity?)]) -> [(Int, RunEvent)] {
      states.map { row, picture in
        (
          0,
          .displayed(slot: 0, row: row, picture.map { .shown($0, from: .memory) } ?? .loading(previous: nil))
        )
      }
    }
    let bound: (Int, RunEvent) = (0, .bound(slot: 0, row: 3))
    func flickers(_ events: [(Int, RunEvent)]) -> Double? {
      Self.measure(Self.frames(["."]), events: [bound] + events).overall[.flickerEvents]
    }
    #expect(flickers(events([(3, nil), (3, .row(3))])) == 0)
    #expect(flickers(events([(3, .row(3)), (3, .row(3))])) == 0)
    #expect(flickers(events([(3, .row(3)), (3, nil), (3, .row(3))])) == 1)
    #expect(flickers(events([(3, .row(3)), (3, nil)]) + [bound] + events([(3, .row(3))])) == 0)
  }

  @Test func `a list settles when every visible row has its image, unless it moves before`() {
    // Three stops: one settles after 5 vsyncs, one never settles, and one is too short to count.
    let velocities = [(0.0, 40), (900, 10), (20, 35), (900, 10), (0, 20)].flatMap {
      Array(repeating: $0.0, count: $0.1)
    }
    let first = String(repeating: ".", count: 5) + String(repeating: "#", count: 110)
    let second =
      String(repeating: "#", count: 50) + String(repeating: ".", count: 45)
      + String(repeating: "#", count: 20)
    let run = Self.measure(Self.frames([first, second], velocities: velocities))
    var (settled, complete) = (WaitHistogram(), WaitHistogram())
    settled.add(5, hasEnded: true)
    settled.add(35, hasEnded: false)
    complete.add(5, hasEnded: true)
    #expect(run.overall.waits[.settleTime] == settled)
    #expect(run.overall.waits[.firstScreen] == complete)
    #expect(run.phases.first?.measurement.waits[.settleTime]?.counts.count == 1)
  }

  @Test func `phases follow the motion of the list, and add up to the run`() throws {
    let offsets = [0.0, 0, 0, 10, 20, 5, 6, 21, 30]
    let frames = Self.frames(["...######"], velocities: [0, 0, 0, 9, 9, -9, 1, 9, 9]).map {
      ScreenFrame(vsync: $0.vsync, offset: offsets[$0.vsync], velocity: $0.velocity, late: 0, cells: $0.cells)
    }
    let run = Self.measure(frames)
    #expect(run.phases.map(\.phase) == [.cold, .scroll, .back])
    #expect(run.phases.map(\.from) == [0, 30, 50].map { .milliseconds($0) })
    #expect(run.phases.map(\.to) == [30, 90, 70].map { .milliseconds($0) })
    #expect(run.phases.map { $0.measurement[.blankRatio] } == [1, 0, 0])
    for metric in [Metric.blankPixelSeconds, .appearances, .misplacedMilliseconds, .transfers] {
      let sum = run.phases.reduce(0) { $0 + ($1.measurement[metric] ?? 0) }
      #expect(abs(sum - (try #require(run.overall[metric]))) < 1e-9, "\(metric)")
    }
  }

  @Test func `a long run takes no more memory than a short run`() {
    func tally(_ frames: Int) -> RunTally {
      var tally = RunTally(
        refreshRate: 60, urls: (0..<50).map { "\($0)" }, evidence: .numbers(Array(0..<50)), keepsSeries: true)
      for vsync in 0..<frames {
        let row = vsync / 10 % 50
        let number = vsync / 10
        if vsync % 10 == 0 {
          tally.note(.bound(slot: row % 3, row: row), at: .zero)
          tally.note(.transferBegan(number, url: "\(row)"), at: .zero)
        } else if vsync % 10 == 4 {
          tally.note(.transferEnded(number, .completed(size: 7), bytes: 7), at: .zero)
          tally.note(.transferClosed(number, bytes: 7), at: .zero)
        }
        let shown = vsync % 10 > 4 ? PictureIdentity.row(row) : nil
        tally.note(
          .drawn(
            ScreenFrame(
              vsync: vsync, offset: 0, velocity: Double(vsync % 10 < 5 ? 0 : 90), late: 0,
              cells: [.init(row: row, slot: row % 3, area: 1, shown: shown)])), at: .zero)
      }
      return tally
    }
    func size(_ value: Any, depth: Int = 0) -> Int {
      Mirror(reflecting: value).children.reduce(1) {
        $0 + (depth < 12 ? size($1.value, depth: depth + 1) : 0)
      }
    }
    // The tally has counted transfers.
    #expect(tally(20_000).transfers.sums.total.begun == 2_000)
    // The series has a separate test.
    func counted(_ tally: RunTally) -> Int {
      [tally.rows, tally.rests, tally.slots, tally.transfers, tally.elapsed].reduce(0) { $0 + size($1) }
    }
    #expect(counted(tally(20_000)) == counted(tally(2_000)))
  }
}
