/// The weights of the colors of an image in 32 x 32 x 32 bins of 8 levels per component.
struct ColorHistogram {
  /// The sum of the alphas of the pixels in each bin. The index is `red * 1024 + green * 32 + blue`.
  private var weights: [Int]

  /// The bits of a bin per component. 5, as in the color quantizer of Android's Palette.
  private static let bits = 5
  private static let side = 1 << bits
  /// The bits of a component within a bin.
  private static let lowBits = UInt8(8 - bits)

  /// Creates the histogram of pixels of 4 bytes.
  init(_ pixels: Span<UInt8>) {
    weights = Array(repeating: 0, count: Self.side * Self.side * Self.side)
    var bins = weights.mutableSpan
    for offset in stride(from: 0, to: pixels.count, by: 4) {
      let pixel = pixels.pixel(at: offset)
      let bin = pixel &>> Self.lowBits
      bins[Int(bin.x) << (2 * Self.bits) | Int(bin.y) << Self.bits | Int(bin.z)] &+= Int(pixel.w)
    }
  }

  /// A box of colors.
  struct Peak {
    private let lowest, highest: SIMD4<UInt8>

    /// Creates the box of the bin `index` and its 26 neighbors.
    fileprivate init(around index: Int) {
      let mask = side - 1
      let bin = SIMD4(index >> (2 * bits), index >> bits & mask, index & mask, 0)
      let (first, last) = (bin &- 1, bin &+ 1)
      let width = 1 << Int(lowBits)
      lowest = SIMD4<UInt8>(clamping: first &* width)
      var highest = SIMD4<UInt8>(clamping: last &* width &+ (width - 1))
      highest.w = 255
      self.highest = highest
    }

    /// Returns whether the color of `pixel` is in the box.
    @inline(__always)
    func contains(_ pixel: SIMD4<UInt8>) -> Bool {
      pixel.clamped(lowerBound: lowest, upperBound: highest) == pixel
    }
  }

  /// The colors around the heaviest bin of the heaviest box of 5 x 5 x 5 bins; nil if all pixels are transparent.
  ///
  /// The box merges similar colors. Its 40 levels per component are the scatter of an area with a gradient or noise,
  /// which otherwise would be weaker than a smaller uniform area.
  var peak: Peak? {
    var sums = weights
    for step in [1, Self.side, Self.side * Self.side] { sums = Self.summed(sums, step: step) }
    guard let box = Self.heaviest(sums, among: sums.indices) else { return nil }
    let red = Self.neighbors(of: box >> (2 * Self.bits))
    let green = Self.neighbors(of: box >> Self.bits & (Self.side - 1))
    let blue = Self.neighbors(of: box & (Self.side - 1))
    let bins = red.lazy.flatMap { red in
      green.lazy.flatMap { green in
        blue.lazy.map { blue in red << (2 * Self.bits) | green << Self.bits | blue }
      }
    }
    return Self.heaviest(weights, among: bins).map(Peak.init(around:))
  }

  /// The distance from the central bin of a box to its outermost bins.
  private static let reach = 2

  private static func neighbors(of position: Int) -> ClosedRange<Int> {
    max(position - reach, 0)...min(position + reach, side - 1)
  }

  /// Returns the first index with the greatest weight; nil if all weights are 0.
  private static func heaviest(_ weights: [Int], among indices: some Sequence<Int>) -> Int? {
    var (best, greatest): (Int?, Int) = (nil, 0)
    for index in indices where weights[index] > greatest { (best, greatest) = (index, weights[index]) }
    return best
  }

  /// Returns the sums of five bins along the axis whose adjacent bins are `step` indices apart.
  private static func summed(_ weights: [Int], step: Int) -> [Int] {
    var result = weights
    let source = weights.span
    var sums = result.mutableSpan
    for first in stride(from: 0, to: weights.count, by: step * side) {
      for index in first..<first + step {
        for position in 1...reach { sums[index] &+= source[index + position * step] }
      }
      for position in 1..<side {
        let start = first + position * step
        for index in start..<start + step {
          var sum = sums[index - step]
          if position + reach < side { sum &+= source[index + reach * step] }
          if position > reach { sum &-= source[index - (reach + 1) * step] }
          sums[index] = sum
        }
      }
    }
    return result
  }
}
