internal import Testing

@testable internal import CellophaneCurl

@Suite struct ConnectionAllowanceTests {
  private static let megabyte = 1 << 20
  private static let limit = 8 << 20

  @Test func `each response adds its limit, an eighth and 1 MB`() {
    var allowance = ConnectionAllowance(received: 5_000)
    for count in 1...3 {
      allowance.begin(limit: Self.limit)
      #expect(allowance.bytes == 5_000 + count * 10 * Self.megabyte)
    }
  }

  @Test func `a complete response keeps only the allowance for its length`() {
    var allowance = ConnectionAllowance(received: 0)
    for count in 1...100 {
      allowance.begin(limit: Self.limit)
      allowance.finish(limit: Self.limit, length: 8_000)
      #expect(allowance.bytes == count * (9_000 + Self.megabyte))
    }
  }

  @Test func `the sum of unlimited responses does not overflow`() {
    var allowance = ConnectionAllowance(received: 1 << 40)
    for _ in 0..<5_000 { allowance.begin(limit: .max) }
    for _ in 0..<5_000 { allowance.finish(limit: .max, length: 0) }
    #expect(allowance.bytes == 1 << 40 + 5_000 * Self.megabyte)
  }
}
