/// Keys with their costs, each standing in one of several lines from newest to oldest. What the policies
/// that order keys by arrival or use are built from; a line can also hold what is only remembered.
///
/// Nodes lie in one array and are linked by index; a freed node is taken again first. All operations are
/// O(1), those that add a key amortised.
struct SegmentedQueues<Line: RawRepresentable<Int> & CaseIterable & Sendable>: Sendable {
  /// The place of a key. Valid until the key is removed.
  typealias Node = Int

  private struct Entry {
    var key: Int
    var cost: Int
    var line: Line
    /// A few bits of the policy: visited, or how often used.
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
  private var ends = [Ends](repeating: Ends(), count: Line.allCases.count)

  /// The number of keys in all lines.
  var count: Int { nodes.count }

  /// What the keys of `line` cost together.
  func cost(of line: Line) -> Int { ends[line.rawValue].cost }

  func find(_ key: Int) -> Node? { nodes[key].map(Int.init) }

  func oldest(of line: Line) -> Node? { Self.node(ends[line.rawValue].oldest) }

  /// The neighbour of `node` that came into its line just after it; nil for the newest.
  func newer(than node: Node) -> Node? { Self.node(entries[node].newer) }

  func key(of node: Node) -> Int { entries[node].key }

  func cost(of node: Node) -> Int { entries[node].cost }

  func line(of node: Node) -> Line { entries[node].line }

  func mark(of node: Node) -> UInt8 { entries[node].mark }

  mutating func setMark(of node: Node, to mark: UInt8) { entries[node].mark = mark }

  /// Adds a key that stands in no line, with mark 0, as the newest of `line`.
  @discardableResult
  mutating func add(_ key: Int, cost: Int, to line: Line) -> Node {
    precondition(nodes[key] == nil, "a key that is kept is inserted again")
    let entry = Entry(key: key, cost: cost, line: line)
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

  /// Makes `node` the newest of `line`, wherever it stood. It keeps its mark.
  mutating func move(_ node: Node, to line: Line) {
    unlink(node)
    entries[node].line = line
    link(node)
  }

  /// Forgets the key of `node`, and returns it.
  @discardableResult
  mutating func remove(_ node: Node) -> Int {
    unlink(node)
    free.append(Int32(node))
    nodes[entries[node].key] = nil
    return entries[node].key
  }

  private mutating func link(_ node: Node) {
    let line = entries[node].line.rawValue
    let newest = ends[line].newest
    entries[node].newer = -1
    entries[node].older = newest
    if newest >= 0 { entries[Int(newest)].newer = Int32(node) } else { ends[line].oldest = Int32(node) }
    ends[line].newest = Int32(node)
    ends[line].cost += entries[node].cost
  }

  private mutating func unlink(_ node: Node) {
    let (newer, older) = (entries[node].newer, entries[node].older)
    let line = entries[node].line.rawValue
    if newer >= 0 { entries[Int(newer)].older = older } else { ends[line].newest = older }
    if older >= 0 { entries[Int(older)].newer = newer } else { ends[line].oldest = newer }
    ends[line].cost -= entries[node].cost
  }

  private static func node(_ index: Int32) -> Node? { index < 0 ? nil : Int(index) }
}
