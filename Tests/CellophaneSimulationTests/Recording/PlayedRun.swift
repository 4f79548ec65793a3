internal import Cellophane
internal import CellophaneScreens

@testable internal import CellophaneSimulation

/// A run that is told to observers event by event: a list that is scrolled by a profile, whose rows are fetched one
/// after the other over a few connections, three rows ahead, and cancelled when they leave. It has everything that a
/// recording can hold, and needs no loader.
struct PlayedRun {
  let layout: ListLayout
  let trajectory: ScrollTrajectory
  let duration: Duration
  /// How long a transfer takes, in ms.
  var transferTime: Int64 = 300
  private let hertz = 60

  init(profile: ScrollProfile = .skimmer, seconds: Int = 20, rows: Int = 400) throws {
    layout = try ListLayout(rows: rows, rowHeight: 120, picture: PixelSize(width: 112, height: 112))
    duration = .seconds(seconds)
    urls = (0..<layout.rows).map { "http://origin/\($0).png" }
    trajectory = ScrollTrajectory(
      profile: profile, physics: .ios, limit: layout.longestOffset, seed: 1, lasting: duration)
  }

  let urls: [String]
  var scene: RecordedScene {
    RecordedScene([ScreenOrientation(layout, trajectory)], urls: urls, refreshRate: hertz, duration: duration)
  }

  private struct Fetch {
    let number: Int
    let row: Int
    let end: Int64
    let connection: Int
  }

  func play(for observer: some RunObserver) {
    var bindings = RowBindings(count: layout.slots)
    var running: [Fetch] = []
    var whole: Set<Int> = []
    var number = 0
    func note(_ event: RunEvent, _ milliseconds: Int64) {
      observer.note(event, at: .milliseconds(milliseconds))
    }
    for vsync in 0..<Int(duration.seconds) * hertz {
      let now = Int64(vsync) * 1_000 / Int64(hertz)
      for fetch in running where fetch.end <= now {
        note(.transferProgressed(fetch.number, bytes: 20_000), fetch.end - 50)
        note(.transferEnded(fetch.number, .completed(size: 30_000), bytes: 30_000), fetch.end)
        note(.transferClosed(fetch.number, bytes: 30_000), fetch.end)
        note(.decodingBegan(fetch.number, of: .row(fetch.row)), fetch.end)
        note(.decodingEnded(fetch.number, isComplete: true), fetch.end + 4)
        whole.insert(fetch.row)
        if let slot = bindings.slot(of: fetch.row) {
          note(.displayed(slot: slot, row: fetch.row, .shown(.row(fetch.row), from: .network)), fetch.end + 4)
        }
      }
      running.removeAll { $0.end <= now }
      let time = Duration.seconds(vsync) / hertz
      let offset = trajectory.offset(at: time)
      let visible = layout.visibleRows(at: offset)
      for change in bindings.show(visible) {
        note(.bound(slot: change.slot, row: change.row), now)
        let state: SlotState<PictureIdentity> =
          whole.contains(change.row) ? .shown(.row(change.row), from: .memory) : .loading(previous: nil)
        note(.displayed(slot: change.slot, row: change.row, state), now)
        if change.row % 5 == 0, !whole.contains(change.row) {
          note(.displayed(slot: change.slot, row: change.row, .preview(.row(change.row))), now)
        }
      }
      let wanted = visible.lowerBound..<min(visible.upperBound + 3, layout.rows)
      for fetch in running where !wanted.contains(fetch.row) {
        note(.transferEnded(fetch.number, .cancelled, bytes: 5_000), now)
        note(.transferClosed(fetch.number, bytes: 6_000), now)
      }
      running.removeAll { !wanted.contains($0.row) }
      for row in wanted
      where running.count < 4 && !whole.contains(row) && !running.contains(where: { $0.row == row }) {
        note(.transferBegan(number, url: urls[row]), now)
        // The first that is free, by a number that is the transport's own.
        let connection = (10...).first { one in !running.contains { $0.connection == one } } ?? 0
        note(.transferSent(number, over: connection), now + 5)
        running.append(Fetch(number: number, row: row, end: now + transferTime, connection: connection))
        number += 1
      }
      let cells = visible.compactMap { row -> ScreenFrame.Cell? in
        let area = layout.visibleArea(of: row, at: offset)
        guard area > 0, let slot = bindings.slot(of: row) else { return nil }
        return ScreenFrame.Cell(row: row, slot: slot, area: area, shown: nil)
      }
      note(.cached(whole.count * 112 * 112 * 4), now)
      note(
        .drawn(
          ScreenFrame(
            vsync: vsync, offset: offset, velocity: trajectory.velocity(at: time), late: 0, cells: cells)),
        now)
    }
  }

  /// The recording of it.
  func recording() -> Recording {
    let recorder = Recorder(scene)
    play(for: recorder)
    return recorder.finish().recording
  }
}
