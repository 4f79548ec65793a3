package import Cellophane
internal import Synchronization

/// A drawing of what several parties do over time, for tests in which the order of events is the point.
///
/// Each party has a row, each step of time a column, and each event a mark.
///
///     first   <-x
///     second  -<---1
///     origin  [----]
///
/// In a step in which one party has several events, the column is that much wider in every row.
package final class TimeDrawing: Sendable {
  private struct Event {
    let row: String
    let mark: Character
    let step: Int
  }

  private let timeline: Timeline
  private let step: Duration
  private let rows: [String]
  private let events = Mutex<[Event]>([])

  /// An empty drawing. Its time begins now.
  package init(_ timeline: Timeline, step: Duration, rows: String...) {
    (self.timeline, self.step, self.rows) = (timeline, step, rows)
  }

  /// Adds a mark at the current time.
  package func mark(_ row: String, _ mark: Character) {
    let event = Event(row: row, mark: mark, step: Int(timeline.now / step))
    events.withLock { $0.append(event) }
  }

  /// Draws the transfers of `loader` from now on: `[` for a start, `]` for an end, `x` for an abortion and `!` for a
  /// failure.
  package func drawTransfers(of loader: ByteLoader, in row: String) {
    let stream = loader.events.events()
    timeline.spawn { [self] in
      for await event in stream {
        switch event.kind {
        case .transferStarted: mark(row, "[")
        case .transferFinished: mark(row, "]")
        case .transferAborted: mark(row, "x")
        case .transferFailed: mark(row, "!")
        default: break
        }
      }
    }
  }

  /// The drawing. A row ends with its last event.
  package var text: String {
    let events = events.withLock(\.self)
    let marks = Dictionary(grouping: events, by: \.row).mapValues { events in
      Dictionary(grouping: events, by: \.step).mapValues { String($0.map(\.mark)) }
    }
    let steps = 0...max(0, events.map(\.step).max() ?? 0)
    let widths = steps.map { step in marks.values.compactMap { $0[step]?.count }.max() ?? 1 }
    let margin = 2 + (rows.map(\.count).max() ?? 0)
    return rows.map { name in
      let last = marks[name]?.keys.max() ?? -1
      let columns = steps.prefix { $0 <= last }.map { step in
        let mark = marks[name]?[step] ?? ""
        return mark + String(repeating: "-", count: step == last ? 0 : widths[step] - mark.count)
      }
      return name + String(repeating: " ", count: margin - name.count) + columns.joined()
    }.joined(separator: "\n")
  }
}
