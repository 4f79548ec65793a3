/// Evicts the key whose row is farthest from the middle of the screen; among equally far keys, the least
/// recently used.
///
/// Designed for lists in this project: a scrolling user passes near rows before far ones in either direction.
/// A key requested by several rows belongs to the last of them. Without rows it is ``LRUPolicy``.
///
/// Finding a key takes O(log n); inserting and removing moves up to n records of 32 bytes. A memory cache has
/// some hundred images.
struct FarthestRowPolicy: EvictionPolicy {
  private struct Entry {
    let row: Int
    /// The number of the last request for the key.
    let useNumber: Int
    let key: Int
    let cost: Int
  }

  private(set) var capacity: Int
  private(set) var cost = 0
  /// The entries sorted by row, and within a row by use, the least recently used first.
  private var entries: [Entry] = []
  private var sortKeys: [Int: (row: Int, useNumber: Int)] = [:]
  private var useNumber = 0
  /// The row in the middle of the screen at the last request.
  private var position = 0

  init(capacity: Int) {
    self.capacity = EvictionLimits.capacity(capacity)
  }

  mutating func use(_ request: CacheRequest) -> Bool {
    guard let sortKey = sortKeys[request.key] else { return false }
    position = request.position
    let entry = entries.remove(at: index(row: sortKey.row, useNumber: sortKey.useNumber))
    insertEntry(request.key, cost: entry.cost, row: request.row)
    return true
  }

  mutating func insert(_ request: CacheRequest) -> [Int] {
    guard request.cost <= capacity else { return [request.key] }
    precondition(sortKeys[request.key] == nil, "the key is already cached")
    insertEntry(request.key, cost: request.cost, row: request.row)
    cost += request.cost
    position = request.position
    return evict(to: capacity)
  }

  mutating func remove(_ key: Int) {
    guard let sortKey = sortKeys.removeValue(forKey: key) else { return }
    cost -= entries.remove(at: index(row: sortKey.row, useNumber: sortKey.useNumber)).cost
  }

  mutating func resize(to capacity: Int) -> [Int] {
    self.capacity = EvictionLimits.capacity(capacity)
    return evict(to: self.capacity)
  }

  mutating func evict(to cost: Int) -> [Int] {
    var evicted: [Int] = []
    while self.cost > cost, let farthest = farthest(from: position) {
      let entry = entries.remove(at: farthest)
      sortKeys[entry.key] = nil
      self.cost -= entry.cost
      evicted.append(entry.key)
    }
    return evicted
  }

  private mutating func insertEntry(_ key: Int, cost: Int, row: Int) {
    useNumber += 1
    entries.insert(
      Entry(row: row, useNumber: useNumber, key: key, cost: cost), at: index(row: row, useNumber: useNumber))
    sortKeys[key] = (row, useNumber)
  }

  /// Returns the index of the farthest entry, which is in the first or in the last row.
  private func farthest(from position: Int) -> Int? {
    guard let first = entries.first, let last = entries.last else { return nil }
    let oldestOfLast = index(row: last.row, useNumber: 0)
    let above = abs(first.row - position)
    let below = abs(last.row - position)
    if above == below { return first.useNumber < entries[oldestOfLast].useNumber ? 0 : oldestOfLast }
    return above > below ? 0 : oldestOfLast
  }

  /// Returns the index of the first entry that does not precede an entry with this row and `useNumber`.
  private func index(row: Int, useNumber: Int) -> Int {
    var range = entries.startIndex..<entries.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = (entries[middle].row, entries[middle].useNumber) < (row, useNumber)
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
