/// A generator of pseudorandom numbers (SplitMix64).
struct Numbers {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Returns a number in `0..<bound`.
  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ word >> 31) % UInt64(bound))
  }
}
