@testable import CellophaneResults
import Testing

@Suite struct SeededDrawTests {
  @Test(arguments: [
    (UInt64(1), "flick", 0, UInt64(0xCAFD_4CE2_0A4B_9B21)), (1, "flick", 1, 0x65D2_3E65_AE7C_0B72),
    (7, "dwell", 123, 0xCFFC_C462_40B4_05FC),
  ])
  func `bits match an independent implementation`(seed: UInt64, stream: String, id: Int, bits: UInt64) {
    #expect(SeededDraw(seed: seed).bits(stream, id) == bits)
  }

  @Test func `mixing is SplitMix64`() {
    // The first output of the reference implementation with seed 0.
    #expect(SeededDraw.mixed(0) == 0xE220_A839_7B1D_CDAF)
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `lognormal draws have the given median and spread`(
    seed: UInt64
  ) {
    let draw = SeededDraw(seed: seed)
    let values = (0..<10_000).map { draw.lognormal(median: 1800, sigma: 0.7, "velocity", $0) }.sorted()
    // Quantiles of the normal distribution at 50 % and 84.13 %; five standard errors of each.
    #expect(abs(values[5000] / 1800 - 1) < 0.05, "seed \(seed)")
    #expect(abs(values[8413] / (1800 * 2.01375) - 1) < 0.07, "seed \(seed)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `chance is true with the given probability`(seed: UInt64) {
    let draw = SeededDraw(seed: seed)
    let hits = (0..<10_000).count { draw.chance(0.35, "direction", $0) }
    #expect(abs(Double(hits) - 3500) < 5 * (10_000 * 0.35 * 0.65).squareRoot(), "seed \(seed)")
  }
}
