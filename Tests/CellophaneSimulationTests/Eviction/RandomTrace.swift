@testable import Cellophane
@testable import CellophaneSimulation

/// Small random traces with what policies find hard: repeats, scans, loops and jumps.
enum RandomTrace {
  /// Requests for up to 60 keys, at a cost of 1, or at 1...40 each. Keys are rows as well.
  static func requests(count: Int, seed: UInt64, equalCosts: Bool = false) -> [CacheRequest] {
    let draw = SeededDraw(seed: seed)
    var position = 0
    return (0..<count).map { number in
      let step = Int(draw.bits("step", number) % 5) - 2
      position = draw.chance(0.02, "jump", number) ? 0 : min(max(position + step, 0), 59)
      let isPopular = draw.chance(0.3, "popular", number)
      let key = isPopular ? Int(draw.bits("key", number) % 8) : position
      let cost = equalCosts ? 1 : 1 + Int(draw.bits("cost", key) % 40)
      return CacheRequest(key: key, cost: cost, row: key, position: position)
    }
  }
}
