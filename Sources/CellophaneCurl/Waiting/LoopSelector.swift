/// The assignment of exchanges to event loops. Pure.
///
/// A connection belongs to one loop. The exchanges with a host therefore stay on one loop, its home, where
/// they can reuse connections, until the home has many of them.
struct LoopSelector {
  /// The loop of an exchange.
  struct Assignment {
    let loop: Int
    /// The hash of the authority, under which the exchange is counted.
    fileprivate let hash: Int
    fileprivate let isHome: Bool
  }

  /// The number of exchanges with one host at which other loops take further ones. 8: more than the six that
  /// a loader or a browser runs per host for visible content.
  static let homeLimit = 8

  /// The number of exchanges that the calling thread's loop may have beyond the least busy loop. 4: tasks
  /// woken by one thread accumulate there and would leave the other loops idle.
  static let slack = 4

  /// The number of exchanges on each loop.
  private(set) var running: [Int]
  /// The number of exchanges with each host on its home loop, by the hash of the authority. Hosts with equal
  /// hashes share a counter, which only makes other loops help earlier.
  private var homeCounts: [Int: Int] = [:]

  /// Creates a selector for `loops` idle loops.
  init(loops: Int) { running = [Int](repeating: 0, count: loops) }

  /// The number of authorities with exchanges on their home loop.
  var authorities: Int { homeCounts.count }

  /// Returns the loop for another exchange with `authority`: its home, or the least busy loop if the home has
  /// too many. A caller on the thread of loop `current` then stays there within ``slack``. O(loops)
  mutating func assign(_ authority: String, on current: Int? = nil) -> Assignment {
    let hash = authority.hashValue
    let home = Int(UInt(bitPattern: hash) % UInt(running.count))
    var loop = home
    if let count = homeCounts[hash], count >= Self.homeLimit {
      loop = current ?? home
      let slack = current == nil ? 0 : Self.slack
      if let idlest = running.indices.min(by: { running[$0] < running[$1] }),
        running[idlest] + slack < running[loop]
      {
        loop = idlest
      }
    }
    if loop == home { homeCounts[hash, default: 0] += 1 }
    running[loop] += 1
    return Assignment(loop: loop, hash: hash, isHome: loop == home)
  }

  /// Records that the exchange with this assignment is over.
  mutating func release(_ assignment: Assignment) {
    running[assignment.loop] -= 1
    guard assignment.isHome, let index = homeCounts.index(forKey: assignment.hash) else { return }
    homeCounts.values[index] -= 1
    if homeCounts.values[index] == 0 { homeCounts.remove(at: index) }
  }
}
