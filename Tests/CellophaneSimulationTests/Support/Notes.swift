import Synchronization

/// Values that tasks add, in the order in which they were added.
final class Notes<Note: Sendable>: Sendable {
  private let notes = Mutex<[Note]>([])

  var all: [Note] { notes.withLock { $0 } }

  func add(_ note: Note) { notes.withLock { $0.append(note) } }
}
