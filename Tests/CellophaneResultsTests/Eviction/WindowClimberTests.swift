@testable import CacheEviction
@testable import CellophaneResults
import Testing

@Suite struct WindowClimberTests {
  /// The hits in each hundred requests, and the change of the window after them, in 10⁻⁶ of the capacity.
  @Test(arguments: [
    // The first hit ratio is a rise from 0, which keeps the initial direction: down.
    ([50], [-62_500]),
    // A fall reverses the direction, a rise keeps it.
    ([50, 40, 48, 56], [-62_500, 62_500, 62_500, 62_500]),
    // A small change of the ratio makes the next step 2 % shorter.
    ([50, 51, 52, 51], [-62_500, -62_500, -61_250, 60_025]),
    // A large change restores the longest step for the next move.
    ([50, 51, 52, 30, 29], [-62_500, -62_500, -61_250, 60_025, -62_500]),
  ])
  func `the window moves in one direction while the hit ratio rises`(hits: [Int], moves: [Int]) {
    var climber = WindowClimber()
    var changes: [Int] = []
    for hits in hits {
      for request in 0..<100 {
        let earlyMove = climber.change(every: 100)
        #expect(earlyMove == nil)
        climber.record(isHit: request < hits)
      }
      if let move = climber.change(every: 100) { changes.append(Int((move * 1e6).rounded())) }
    }
    #expect(changes == moves)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `when recent keys repeat, the window grows to its limit`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    var policy = WTinyLFUPolicy(capacity: 60)
    #expect(policy.windowCapacity == 1)
    for number in 0..<20_000 {
      // Every third request has a new key, the others have one of the last twenty keys.
      let newest = number / 3
      let back = number % 3 == 0 ? 0 : 1 + Int(draw.bits("back", number) % 20)
      let request = CacheRequest(key: max(0, newest - back), cost: 1)
      if !policy.use(request) { _ = policy.insert(request) }
    }
    // The limit leaves only the probation segment, a fifth of the main part.
    #expect(policy.windowCapacity == 49, "seed \(seed)")
  }
}
