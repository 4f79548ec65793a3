@testable import CacheEviction
@testable import CellophaneResults

/// Small random traces with difficult patterns for policies: repeats, scans, loops and jumps.
enum RandomTrace {
  /// Returns requests for up to 60 keys, each with a cost of 1, or of 1...40. A key is also a row.
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
