/// One row on the screen, from the vsync at which it came in to the one at which it was gone.
struct Appearance: Sendable, Hashable {
  let row: Int
  let start: Duration
  var end: Duration
  /// The first vsync that showed its own picture.
  var ready: Duration?

  /// How long the row waited for its picture; cut short when it left before.
  var wait: KaplanMeier.Wait {
    if let ready {
      KaplanMeier.Wait(ready - start, isOver: true)
    } else {
      KaplanMeier.Wait(end - start, isOver: false)
    }
  }

  /// The appearances of a run, in the order of their start, then of their rows. `expected` is the picture
  /// that belongs to a row, or nil when that is not known, in which case the row is left out.
  static func all(in record: ScreenRecord, expected: (Int) -> PictureIdentity?) -> [Appearance] {
    var over: [Appearance] = []
    var current: [Int: Appearance] = [:]
    for (index, frame) in record.frames.enumerated() {
      let end = frame.time + record.length(ofFrame: index)
      for row in current.keys where !frame.cells.contains(where: { $0.row == row }) {
        if let left = current.removeValue(forKey: row) { over.append(left) }
      }
      for cell in frame.cells {
        guard let own = expected(cell.row) else { continue }
        var appearance =
          current[cell.row] ?? Appearance(row: cell.row, start: frame.time, end: end, ready: nil)
        appearance.end = end
        if cell.shown == own, appearance.ready == nil { appearance.ready = frame.time }
        current[cell.row] = appearance
      }
    }
    over.append(contentsOf: current.values)
    return over.sorted { ($0.start, $0.row) < ($1.start, $1.row) }
  }
}
