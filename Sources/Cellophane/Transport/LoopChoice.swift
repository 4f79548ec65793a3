/// Which of several event loops takes an exchange. Pure.
///
/// A connection belongs to one loop. So a site stays with one, its home, where it finds the connections that it had, until
/// that one is busy with it.
struct LoopChoice {
  /// Where an exchange runs.
  struct Place {
    let loop: Int
    fileprivate let isHome: Bool
  }

  /// How many exchanges with a site its home takes before others help. 8: more than a loader or a browser asks of one host
  /// for somebody who waits (six).
  static let mostAtHome = 8

  /// How many exchanges fewer another loop must have to take one from the thread that asks. 4: what is woken by one thread
  /// gathers there, and would leave the others without work.
  private static let slack = 4

  /// How many exchanges each loop has.
  private(set) var running: [Int]
  /// How many exchanges with each site its home has.
  private var atHome: [String: Int] = [:]
  private let keepsHome: Bool

  /// So many loops without work; with `keepsHome` sites never leave theirs.
  init(loops: Int, keepsHome: Bool) {
    running = [Int](repeating: 0, count: loops)
    self.keepsHome = keepsHome
  }

  /// How many sites are remembered.
  var sites: Int { atHome.count }

  /// The loop for one more exchange with `site`: its home, or the one that has the fewest. For who asks on the thread of
  /// a loop that one, unless it has many more than another. O(loops)
  mutating func enter(_ site: String, on current: Int? = nil) -> Place {
    if let current, !keepsHome { return enter(on: current) }
    var loop = Int(UInt(bitPattern: site.hashValue) % UInt(running.count))
    let home = loop
    if !keepsHome, let count = atHome[site], count >= Self.mostAtHome {
      for other in running.indices where running[other] < running[loop] { loop = other }
    }
    if loop == home { atHome[site, default: 0] += 1 }
    running[loop] += 1
    return Place(loop: loop, isHome: loop == home)
  }

  private mutating func enter(on current: Int) -> Place {
    var loop = current
    for other in running.indices where running[other] + Self.slack < running[loop] { loop = other }
    running[loop] += 1
    return Place(loop: loop, isHome: false)
  }

  /// Notes that the exchange which ``enter(_:)`` gave `place` is over.
  mutating func leave(_ site: String, _ place: Place) {
    running[place.loop] -= 1
    guard place.isHome, let index = atHome.index(forKey: site) else { return }
    atHome.values[index] -= 1
    if atHome.values[index] == 0 { atHome.remove(at: index) }
  }
}
