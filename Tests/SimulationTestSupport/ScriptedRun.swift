internal import Cellophane
internal import CellophaneScreens
package import CellophaneResults

/// The events of a run without a loader.
///
/// A scroll profile moves the list. The visible rows and the next three are loaded in order over up to four
/// connections, and cancelled when they leave this range. The run has every kind of event that a recording can hold.
package struct ScriptedRun {
  /// The layout of the list.
  package let layout: ListLayout
  /// The scroll.
  package let trajectory: ScrollTrajectory
  /// The length of the run.
  package let duration: Duration
  /// The duration of a transfer, in ms.
  package var transferTime: Int64 = 300
  private let refreshRate = 60

  /// Creates a run of `seconds` over a list of `rows`.
  package init(profile: ScrollProfile = .skimmer, seconds: Int = 20, rows: Int = 400) throws {
    layout = try ListLayout(rows: rows, rowHeight: 120, picture: PixelSize(width: 112, height: 112))
    duration = .seconds(seconds)
    urls = (0..<layout.rows).map { "http://origin/\($0).png" }
    trajectory = ScrollTrajectory(
      profile: profile, physics: .ios, limit: layout.longestOffset, seed: 1, lasting: duration)
  }

  /// The URLs of the rows.
  package let urls: [String]
  /// The scene of the run, for a recorder.
  package var scene: RecordedScene {
    RecordedScene(
      [ScreenOrientation(layout, trajectory)], urls: urls, refreshRate: refreshRate, duration: duration)
  }

  private struct Transfer {
    let number: Int
    let row: Int
    let end: Int64
    let connection: Int
  }

  /// Passes all events to `observer`.
  package func play(for observer: some RunObserver) {
    var bindings = RowBindings(count: layout.slots)
    var running: [Transfer] = []
    var complete: Set<Int> = []
    var number = 0
    func note(_ event: RunEvent, _ milliseconds: Int64) {
      observer.note(event, at: .milliseconds(milliseconds))
    }
    for vsync in 0..<Int(duration.seconds) * refreshRate {
      let now = Int64(vsync) * 1_000 / Int64(refreshRate)
      for transfer in running where transfer.end <= now {
        note(.transferProgressed(transfer.number, bytes: 20_000), transfer.end - 50)
        note(.transferEnded(transfer.number, .completed(size: 30_000), bytes: 30_000), transfer.end)
        note(.transferClosed(transfer.number, bytes: 30_000), transfer.end)
        note(.decodingBegan(transfer.number, of: .row(transfer.row)), transfer.end)
        note(.decodingEnded(transfer.number, isComplete: true), transfer.end + 4)
        complete.insert(transfer.row)
        if let slot = bindings.slot(of: transfer.row) {
          note(
            .displayed(slot: slot, row: transfer.row, .shown(.row(transfer.row), from: .network)),
            transfer.end + 4)
        }
      }
      running.removeAll { $0.end <= now }
      let time = Duration.seconds(vsync) / refreshRate
      let offset = trajectory.offset(at: time)
      let visible = layout.visibleRows(at: offset)
      for change in bindings.show(visible) {
        note(.bound(slot: change.slot, row: change.row), now)
        let state: SlotState<PictureIdentity> =
          complete.contains(change.row) ? .shown(.row(change.row), from: .memory) : .loading(previous: nil)
        note(.displayed(slot: change.slot, row: change.row, state), now)
        if change.row % 5 == 0, !complete.contains(change.row) {
          note(.displayed(slot: change.slot, row: change.row, .preview(.row(change.row))), now)
        }
      }
      let needed = visible.lowerBound..<min(visible.upperBound + 3, layout.rows)
      for transfer in running where !needed.contains(transfer.row) {
        note(.transferEnded(transfer.number, .cancelled, bytes: 5_000), now)
        note(.transferClosed(transfer.number, bytes: 6_000), now)
      }
      running.removeAll { !needed.contains($0.row) }
      for row in needed
      where running.count < 4 && !complete.contains(row) && !running.contains(where: { $0.row == row }) {
        note(.transferBegan(number, url: urls[row]), now)
        // The first free connection. The numbers of a transport may start anywhere.
        let connection = (10...).first { one in !running.contains { $0.connection == one } } ?? 0
        note(.transferSent(number, over: connection), now + 5)
        running.append(Transfer(number: number, row: row, end: now + transferTime, connection: connection))
        number += 1
      }
      let cells = visible.compactMap { row -> ScreenFrame.Cell? in
        let area = layout.visibleArea(of: row, at: offset)
        guard area > 0, let slot = bindings.slot(of: row) else { return nil }
        return ScreenFrame.Cell(row: row, slot: slot, area: area, shown: nil)
      }
      note(.cached(complete.count * 112 * 112 * 4), now)
      note(
        .drawn(
          ScreenFrame(
            vsync: vsync, offset: offset, velocity: trajectory.velocity(at: time), late: 0, cells: cells)),
        now)
    }
  }

  /// Returns the recording of the run.
  package func recording() -> Recording {
    let recorder = Recorder(scene)
    play(for: recorder)
    return recorder.finish().recording
  }
}
