@testable import CellophaneResults

/// Runs that are drawn as text: one string per row, one character per frame of 10 ms. A space is a row out of sight,
/// `.` a blank row, `#` a row with its image, `x` a row with another image. Each row has a separate slot, and 100 px²
/// more than the row before.
extension RunTallyTests {
  /// Returns the frames of the drawn `rows`.
  ///
  /// - Parameters:
  ///   - velocities: The velocity of each frame; 0 beyond the end of the list.
  ///   - late: The number of late vsyncs of each frame; 0 beyond the end of the list.
  static func frames(_ rows: [String], velocities: [Double] = [], late: [Int] = []) -> [ScreenFrame] {
    (0..<(rows.map(\.count).max() ?? 0)).map { vsync in
      let cells = rows.enumerated().compactMap { row, states -> ScreenFrame.Cell? in
        let shown: PictureIdentity?
        switch Array(states)[vsync] {
        case " ": return nil
        case "#": shown = .row(row)
        case "x": shown = .row(row + 1)
        default: shown = nil
        }
        return ScreenFrame.Cell(row: row, slot: row, area: Double(100 * (row + 1)), shown: shown)
      }
      return ScreenFrame(
        vsync: vsync, offset: 0, velocity: vsync < velocities.count ? velocities[vsync] : 0,
        late: vsync < late.count ? late[vsync] : 0, cells: cells)
    }
  }

  static let numbers = RowTally.Evidence.numbers(Array(0..<20))

  /// Returns the measurements of `frames`.
  ///
  /// - Parameter events: Further events, each with the vsync of the frame that it precedes.
  static func measure(
    _ frames: [ScreenFrame], evidence: RowTally.Evidence = Self.numbers, events: [(Int, RunEvent)] = [],
    expected: (Int) -> PictureIdentity? = { .row($0) }
  ) -> RunMeasurement {
    var tally = RunTally(
      refreshRate: 100, urls: (0..<20).map { "http://rows/\($0)" }, evidence: evidence, keepsSeries: true)
    for frame in frames {
      for (vsync, event) in events where vsync == frame.vsync {
        tally.note(event, at: .milliseconds(10 * vsync))
      }
      tally.note(.drawn(frame), at: .milliseconds(10 * frame.vsync))
    }
    tally.finish(at: frames.count)
    return RunMeasurement(RunObservation(tally: tally), expected: expected)
  }
}
