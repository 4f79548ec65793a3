@testable import Cellophane
@testable import CellophaneSimulation
import Testing

@Suite struct WindowClimberTests {
  /// Hits in each hundred requests, and how far the window moves then, in 10⁻⁶ of the capacity.
  @Test(arguments: [
    // A first hit ratio is a rise from nothing: the way that it began, down.
    ([50], [-62_500]),
    // Falls turn it round, rises keep its way.
    ([50, 40, 48, 56], [-62_500, 62_500, 62_500, 62_500]),
    // Small changes let the steps shrink by 2 % each.
    ([50, 51, 52, 51], [-62_500, -62_500, -61_250, 60_025]),
    // A large one makes them long again, from the next on.
    ([50, 51, 52, 30, 29], [-62_500, -62_500, -61_250, 60_025, -62_500]),
  ])
  func `the window moves on while it helps`(hits: [Int], moves: [Int]) {
    var climber = WindowClimber()
    var found: [Int] = []
    for hits in hits {
      for request in 0..<100 {
        let early = climber.change(every: 100)
        #expect(early == nil)
        climber.record(isHit: request < hits)
      }
      if let move = climber.change(every: 100) { found.append(Int((move * 1e6).rounded())) }
    }
    #expect(found == moves)
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func `where the latest comes again, the window grows to its limit`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    var policy = WTinyLFUPolicy(capacity: 60)
    #expect(policy.windowCapacity == 1)
    for number in 0..<20_000 {
      // Every third request is for something new, the others for one of the latest twenty.
      let newest = number / 3
      let back = number % 3 == 0 ? 0 : 1 + Int(draw.bits("back", number) % 20)
      let request = CacheRequest(key: max(0, newest - back), cost: 1)
      if !policy.use(request) { _ = policy.insert(request) }
    }
    // All but the fifth of the main part that is for probation.
    #expect(policy.windowCapacity == 49, "seed \(seed)")
  }
}
