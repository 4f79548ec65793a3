import Testing

@testable import CellophaneResults

/// The choice with numbers made by hand.
@Suite struct AdviceRuleTests {
  private func numbers(_ points: [(blank: Double, bytes: Double)]) -> [AdviceNumbers] {
    points.map { AdviceNumbers(blank: $0.blank, bytes: $0.bytes, unused: 0) }
  }

  @Test(
    "the frontier has the settings that no other beats in blank share and bytes",
    arguments: [
      ([(0.2, 5), (0.1, 8), (0.15, 9), (0.05, 12)], [0, 1, 3]),
      // The same blank share for more bytes, and the same bytes with more blank area.
      ([(0.1, 8), (0.1, 9), (0.2, 8)], [0]),
      // Neither of two equal settings beats the other.
      ([(0.1, 8), (0.1, 8)], [0, 1]), ([(0.3, 1)], [0]), ([], []),
    ] as [([(Double, Double)], [Int])])
  func frontier(points: [(blank: Double, bytes: Double)], expected: [Int]) {
    #expect(AdviceRule.frontier(of: numbers(points)) == expected)
  }

  @Test func `the lowest blank shares of the frontier and the configured setting are compared`() {
    // All seven are on the frontier.
    let chain = numbers((1...7).map { (blank: 1 / Double($0), bytes: Double($0)) })
    #expect(AdviceRule.compared(of: chain, configured: 4) == [3, 4, 5, 6])
    #expect(AdviceRule.compared(of: chain, configured: 0) == [0, 3, 4, 5, 6])
    let beaten = numbers([(0.2, 5), (0.3, 6), (0.1, 9)])
    #expect(AdviceRule.compared(of: beaten, configured: 1) == [0, 1, 2])
    #expect(AdviceRule.compared(of: beaten, configured: 2) == [0, 2])
  }

  @Test func `the regret is the blank share above the lowest one`() {
    #expect(AdviceRule.regrets([0.5, 0.25, 0.375]) == [0.25, 0, 0.125])
    #expect(AdviceRule.regrets([0.4]) == [0])
    #expect(AdviceRule.regrets([]) == [])
  }

  @Test func `the least mean regret wins, and within the tolerance the fewest bytes`() {
    func choice(_ regrets: [Double], _ bytes: [Double], configured: Int? = nil) -> Int {
      AdviceRule.choice(regrets: regrets, bytes: bytes, configured: configured)
    }
    #expect(choice([0.02, 0.01, 0.03], [1, 9, 1]) == 1)
    #expect(choice([0.0109, 0.01, 0.0111], [5, 9, 1]) == 0)
    #expect(choice([0.01, 0.01, 0.01], [5, 5, 6]) == 0)
    #expect(choice([0.01, 0.01, 0.01], [5, 5, 6], configured: 1) == 1)
    #expect(choice([0.01, 0.01, 0.01], [5, 5, 6], configured: 2) == 0)
    // Equality does not add up: each candidate is compared with the least regret.
    #expect(choice([0, 0.0009, 0.0018], [3, 2, 1]) == 1)
  }

  @Test func `the smallest value within the tolerance of the lowest blank share is enough`() {
    #expect(AdviceRule.enough([0.3, 0.1009, 0.1, 0.1]) == 1)
    #expect(AdviceRule.enough([0.3, 0.1011, 0.1]) == 2)
    // More can be worse.
    #expect(AdviceRule.enough([0.1, 0.2]) == 0)
  }

  @Test func `a capacity is recommended only if the configured one falls short`() {
    func capacity(_ blank: [Int: Double], configured: Int) -> Advice.Capacity {
      Advice.Capacity(
        blank.map { ($0, AdviceNumbers(blank: $1, bytes: 1, unused: 0)) }, configured: configured)
    }
    let larger = capacity([1: 0.3, 2: 0.2, 4: 0.1, 8: 0.1], configured: 2)
    #expect(larger.trials.map(\.value) == [1, 2, 4, 8])
    #expect(larger.enough == 4 && larger.recommended == 4)
    #expect(larger.recommendedNumbers?.blank == 0.1)
    let kept = capacity([1: 0.1005, 2: 0.1, 4: 0.1], configured: 4)
    #expect(kept.enough == 1 && kept.recommended == 4)
    let smaller = capacity([2: 0.1, 12: 0.2], configured: 12)
    #expect(smaller.recommended == 2)
  }
}
