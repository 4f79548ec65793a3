/// Which of several event loops takes an exchange. Pure.
///
/// A connection belongs to one loop. So a site stays with one, its home, where it finds the connections that it had, until
/// that one is busy with it.
struct LoopChoice {
  /// Where an exchange runs.
  struct Place {
    let loop: Int
    /// Of the site, by which it is counted.
    fileprivate let hash: Int
    fileprivate let isHome: Bool
  }

  /// How many exchanges with a site its home takes before others help. 8: more than a loader or a browser asks of one host
  /// for somebody who waits (six).
  static let mostAtHome = 8

  /// How many exchanges more than another the loop may have on whose thread somebody asks. 4: what is woken by one thread
  /// gathers there, and would leave the others without work.
  static let slack = 4

  /// How many exchanges each loop has.
  private(set) var running: [Int]
  /// How many exchanges with each site its home has, by the hash of the site: two of one hash count as one, which matters
  /// to none.
  private var atHome: [Int: Int] = [:]

  /// So many loops without work.
  init(loops: Int) { running = [Int](repeating: 0, count: loops) }

  /// How many sites are remembered.
  var sites: Int { atHome.count }

  /// The loop for one more exchange with `site`: its home, or when that is busy with it the one that has the fewest; for who
  /// asks on the thread of a loop, `current`, rather that one. O(loops)
  mutating func enter(_ site: String, on current: Int? = nil) -> Place {
    let hash = site.hashValue
    let home = Int(UInt(bitPattern: hash) % UInt(running.count))
    var loop = home
    if let count = atHome[hash], count >= Self.mostAtHome {
      loop = current ?? home
      let slack = current == nil ? 0 : Self.slack
      if let least = running.indices.min(by: { running[$0] < running[$1] }),
        running[least] + slack < running[loop]
      {
        loop = least
      }
    }
    if loop == home { atHome[hash, default: 0] += 1 }
    running[loop] += 1
    return Place(loop: loop, hash: hash, isHome: loop == home)
  }

  /// Notes that the exchange which ``enter(_:on:)`` gave `place` is over.
  mutating func leave(_ place: Place) {
    running[place.loop] -= 1
    guard place.isHome, let index = atHome.index(forKey: place.hash) else { return }
    atHome.values[index] -= 1
    if atHome.values[index] == 0 { atHome.remove(at: index) }
  }
}
