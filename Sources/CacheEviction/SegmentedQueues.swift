/// Keys with costs in several queues, each ordered from newest to oldest. The policies that order keys by
/// insertion or use are built on it. A queue may also hold ghosts, keys without values.
///
/// Nodes are stored in one array and linked by index; freed nodes are reused first. All operations are O(1),
/// amortized for insertions.
struct SegmentedQueues<Segment: RawRepresentable<Int> & CaseIterable & Sendable>: Sendable {
  /// The index of a key's node. Valid until the key is removed.
  typealias Node = Int

  private struct Entry {
    var key: Int
    var cost: Int
    var segment: Segment
    /// A small value for the policy, such as a use count.
    var mark: UInt8 = 0
    var newer: Int32 = -1
    var older: Int32 = -1
  }

  private struct Ends {
    var newest: Int32 = -1
    var oldest: Int32 = -1
    var cost = 0
  }

  private var entries: [Entry] = []
  private var free: [Int32] = []
  private var nodes: [Int: Int32] = [:]
  private var ends = [Ends](repeating: Ends(), count: Segment.allCases.count)

  /// The number of keys in all queues.
  var count: Int { nodes.count }

  /// Returns the total cost of the keys in `segment`.
  func cost(of segment: Segment) -> Int { ends[segment.rawValue].cost }

  func find(_ key: Int) -> Node? { nodes[key].map(Int.init) }

  func oldest(of segment: Segment) -> Node? { Self.node(ends[segment.rawValue].oldest) }

  /// Returns the node that entered the queue of `node` directly after it; nil for the newest.
  func newer(than node: Node) -> Node? { Self.node(entries[node].newer) }

  func key(of node: Node) -> Int { entries[node].key }

  func cost(of node: Node) -> Int { entries[node].cost }

  func segment(of node: Node) -> Segment { entries[node].segment }

  func mark(of node: Node) -> UInt8 { entries[node].mark }

  mutating func setMark(of node: Node, to mark: UInt8) { entries[node].mark = mark }

  /// Adds a key that is in no queue as the newest of `segment`, with mark 0.
  @discardableResult
  mutating func add(_ key: Int, cost: Int, to segment: Segment) -> Node {
    precondition(nodes[key] == nil, "the key is already cached")
    let entry = Entry(key: key, cost: cost, segment: segment)
    let node: Int
    if let freed = free.popLast() {
      node = Int(freed)
      entries[node] = entry
    } else {
      node = entries.count
      entries.append(entry)
    }
    nodes[key] = Int32(node)
    link(node)
    return node
  }

  /// Moves `node` from its queue to `segment` as the newest. Its mark is unchanged.
  mutating func move(_ node: Node, to segment: Segment) {
    unlink(node)
    entries[node].segment = segment
    link(node)
  }

  /// Removes `node` and returns its key.
  @discardableResult
  mutating func remove(_ node: Node) -> Int {
    unlink(node)
    free.append(Int32(node))
    nodes[entries[node].key] = nil
    return entries[node].key
  }

  private mutating func link(_ node: Node) {
    let segment = entries[node].segment.rawValue
    let newest = ends[segment].newest
    entries[node].newer = -1
    entries[node].older = newest
    if newest >= 0 { entries[Int(newest)].newer = Int32(node) } else { ends[segment].oldest = Int32(node) }
    ends[segment].newest = Int32(node)
    ends[segment].cost += entries[node].cost
  }

  private mutating func unlink(_ node: Node) {
    let (newer, older) = (entries[node].newer, entries[node].older)
    let segment = entries[node].segment.rawValue
    if newer >= 0 { entries[Int(newer)].older = older } else { ends[segment].newest = older }
    if older >= 0 { entries[Int(older)].newer = newer } else { ends[segment].oldest = newer }
    ends[segment].cost -= entries[node].cost
  }

  private static func node(_ index: Int32) -> Node? { index < 0 ? nil : Int(index) }
}
