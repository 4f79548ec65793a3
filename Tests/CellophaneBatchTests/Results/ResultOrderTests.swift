internal import Cellophane
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

@Suite("Results in the order of the list")
struct ResultOrderTests {
  @Test(
    "results leave in the order of the list, for any order of their ends",
    arguments: 1...20 as ClosedRange<UInt64>)
  func anyOrder(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var order = ResultOrder<Int>()
    var delivered: [Int] = []
    var ends = Array(0..<200)
    ends.shuffle(using: &random)
    for (count, position) in ends.enumerated() {
      // Every fifth position has no result.
      delivered += order.insert(position.isMultiple(of: 5) ? nil : position, bytes: 1, at: position)
      let complete = (0..<200).first { !ends[...count].contains($0) } ?? 200
      #expect(delivered == (0..<complete).filter { !$0.isMultiple(of: 5) }, "seed \(seed)")
    }
    #expect(order.rest().isEmpty)
  }

  @Test func `results behind a missing one are returned at the end, in order`() {
    var order = ResultOrder<Int>()
    #expect(order.insert(3, bytes: 1, at: 3).isEmpty && order.insert(1, bytes: 1, at: 1).isEmpty)
    #expect(order.insert(0, bytes: 1, at: 0) == [0, 1] && order.insert(9, bytes: 1, at: 9).isEmpty)
    #expect(order.rest() == [3, 9])
  }

  @Test func `the distance between positions and the waiting bytes are limited`() {
    var order = ResultOrder<Int>()
    let most = ResultOrder<Int>.mostWaiting
    #expect(order.admits(0) && order.admits(most - 1) && !order.admits(most))
    _ = order.insert(1, bytes: ResultOrder<Int>.mostBytes, at: 1)
    #expect(order.admits(0) && !order.admits(2))
    #expect(order.insert(0, bytes: 5, at: 0) == [0, 1])
    #expect(order.admits(2) && order.admits(most + 1) && !order.admits(most + 2))
  }
}
