internal import Testing

@testable internal import CellophaneResults

/// The expected values are those of scipy 1.17.1.
@Suite struct StudentTTests {
  @Test(
    arguments: [
      (1, 1.0, 0.5), (1, 12.706204736174694, 0.05), (2, 4.302652729749462, 0.05), (3, 0.2, 0.854270329246279),
      (9, 2.2621571628, 0.05), (9, 6.0, 0.00020249932206764079), (19, 2.0930240544, 0.05),
      (19, 0.7, 0.4924100882249371),
      (1_000, 1.9623390808, 0.05),
    ])
  func `tails match scipy`(freedom: Int, value: Double, tail: Double) {
    for sign in [1.0, -1] {
      #expect(abs(StudentT.twoSidedTail(sign * value, freedom: freedom) / tail - 1) < 1e-7)
    }
    #expect(abs(StudentT.quantile(tail: tail / 2, freedom: freedom) / value - 1) < 1e-7)
  }

  @Test(arguments: [(0.025, 1.959963984540054), (1e-6, 4.753424308822899), (0.5, 0)])
  func `normal quantiles match scipy`(tail: Double, value: Double) {
    #expect(abs(StudentT.normalQuantile(tail: tail) - value) < 1e-9)
    #expect(abs(StudentT.normalTail(value) / tail - 1) < 1e-9)
  }
}
