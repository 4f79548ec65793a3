internal import Cellophane

/// A load of a ``RuledLoader``.
final class RuledLoad {
  let number: Int
  let request: ImageRequest
  let key: String
  /// The slots that wait for it.
  var slots: Set<Int> = []
  /// True while it is wanted ahead of its row.
  var isAhead = false
  /// The file; nil before the end of its transfer.
  var file: [UInt8]?
  var source = Source.network
  var task: Task<Void, Never>?

  init(_ number: Int, _ request: ImageRequest, _ key: String) {
    self.number = number
    self.request = request
    self.key = key
  }
}

/// A queue of a ``RuledLoader`` with a limit of simultaneous work.
struct RuledQueue {
  let places: Int
  /// True if loads ahead wait until no other load waits.
  let isAheadLast: Bool
  var waiting: [RuledLoad] = []
  private var running = 0

  init(places: Int, isAheadLast: Bool) {
    self.places = places
    self.isAheadLast = isAheadLast
  }

  /// Returns the next load to start, if there is a place for it.
  mutating func start() -> RuledLoad? {
    guard running < places, !waiting.isEmpty else { return nil }
    running += 1
    let first = isAheadLast ? waiting.firstIndex { !$0.slots.isEmpty } ?? 0 : 0
    return waiting.remove(at: first)
  }

  /// Frees the place of a load.
  mutating func end() { running -= 1 }

  /// Removes a load that waits. Returns false if it does not wait.
  mutating func remove(_ load: RuledLoad) -> Bool {
    guard let index = waiting.firstIndex(where: { $0 === load }) else { return false }
    waiting.remove(at: index)
    return true
  }
}
