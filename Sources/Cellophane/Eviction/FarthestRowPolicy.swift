/// What is farthest from the middle of the screen leaves first; of the equally far, the least recently used.
///
/// Ours, for lists: whoever scrolls passes near rows before far ones, whichever way they turn. Keys that are
/// asked for by several rows count as where they were asked for last. Without rows, it is ``LRUPolicy``.
///
/// Finding a key's place takes O(log n), putting it there moves up to n records of 32 bytes; a memory cache
/// holds some hundred pictures.
struct FarthestRowPolicy: EvictionPolicy {
  private struct Place {
    let row: Int
    /// When it was used last, counted in requests.
    let turn: Int
    let key: Int
    let cost: Int
  }

  private(set) var capacity: Int
  private(set) var cost = 0
  /// From the first row to the last, and within a row from the least recently used.
  private var places: [Place] = []
  private var order: [Int: (row: Int, turn: Int)] = [:]
  private var turn = 0
  /// Where the screen was last.
  private var position = 0

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let old = order[request.key] else { return false }
    position = request.position
    let place = places.remove(at: index(row: old.row, turn: old.turn))
    put(request.key, cost: place.cost, row: request.row)
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    precondition(order[request.key] == nil, "a key that is kept is inserted again")
    put(request.key, cost: request.cost, row: request.row)
    cost += request.cost
    position = request.position
    return evict(to: capacity)
  }

  mutating func remove(_ key: Int) {
    guard let old = order.removeValue(forKey: key) else { return }
    cost -= places.remove(at: index(row: old.row, turn: old.turn)).cost
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  mutating func evict(to cost: Int) -> [Int] {
    var leaving: [Int] = []
    while self.cost > cost, let farthest = farthest(from: position) {
      let place = places.remove(at: farthest)
      order[place.key] = nil
      self.cost -= place.cost
      leaving.append(place.key)
    }
    return leaving
  }

  private mutating func put(_ key: Int, cost: Int, row: Int) {
    turn += 1
    places.insert(Place(row: row, turn: turn, key: key, cost: cost), at: index(row: row, turn: turn))
    order[key] = (row, turn)
  }

  /// The first or the last row holds it.
  private func farthest(from position: Int) -> Int? {
    guard let first = places.first, let last = places.last else { return nil }
    let oldestOfLast = index(row: last.row, turn: 0)
    let above = abs(first.row - position)
    let below = abs(last.row - position)
    if above == below { return first.turn < places[oldestOfLast].turn ? 0 : oldestOfLast }
    return above > below ? 0 : oldestOfLast
  }

  /// The first place that is not before this row and turn.
  private func index(row: Int, turn: Int) -> Int {
    var range = places.startIndex..<places.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = (places[middle].row, places[middle].turn) < (row, turn)
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
