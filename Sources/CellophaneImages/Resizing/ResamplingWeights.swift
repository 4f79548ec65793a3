/// The windows of an axis and the concatenation of their weights.
struct FractionWeights {
  private(set) var windows: [ResamplingWindow] = []
  /// One weight for each pixel of each window. The weights of a window sum to 1.
  private(set) var weights: [Float] = []

  init(_ axis: ResamplingAxis) {
    windows.reserveCapacity(axis.count)
    var exact: [Double] = []
    for index in 0..<axis.count {
      let window = axis.window(at: index)
      windows.append(window)
      if axis.isEnlarged {
        let neighbors = axis.neighborWeights(upTo: window.last, at: index)
        for position in 8 - window.count..<8 { weights.append(neighbors[position]) }
        continue
      }
      let sum = axis.computeWeights(window, at: index, into: &exact)
      for weight in exact { weights.append(Float(weight / sum)) }
    }
  }
}

/// The windows of an axis and the weights of their pixels in pairs.
///
/// All windows are padded with pixels of weight 0 to the length of the longest. All loops then have a fixed
/// length.
struct PairedWeights {
  /// The number of pairs in a window.
  let pairs: Int
  /// The first pixel of each window.
  private(set) var first: [Int] = []
  /// The weights of each pair: four times that of its first pixel, then four times that of its second.
  private(set) var weights: [SIMD8<UInt16>] = []

  init(_ axis: ResamplingAxis) {
    let windows = (0..<axis.count).map { axis.window(at: $0) }
    let longest = windows.reduce(1) { max($0, $1.count) }
    pairs = (longest + 1) / 2
    first.reserveCapacity(axis.count)
    weights.reserveCapacity(axis.count * pairs)
    var integers = IntegerWeights()
    for (index, window) in windows.enumerated() {
      integers.set(window, of: axis, at: index)
      first.append(window.first)
      for position in stride(from: 0, to: pairs * 2, by: 2) {
        let left = SIMD4(repeating: position < window.count ? integers.weights[position] : 0)
        let right = SIMD4(repeating: position + 1 < window.count ? integers.weights[position + 1] : 0)
        weights.append(SIMD8(lowHalf: left, highHalf: right))
      }
    }
  }
}

extension PairedWeights {
  /// Returns the peak memory for the weights from `source` pixels to `count`, in bytes.
  static func maxBytes(from source: Int, to count: Int) -> Int {
    // A window begins and ends within pixels and is padded to an even number. It has at most three pixels
    // more than its length, and two pixels are a pair. `OpaqueAverager` does not create longer windows.
    let pixels = min(source + 3 * count, (OpaqueAverager.longestWindow + 1) * count)
    return pixels * MemoryLayout<SIMD8<UInt16>>.stride / 2
      + count * (MemoryLayout<Int>.stride + MemoryLayout<ResamplingWindow>.stride)
  }
}

/// The weights of one window as integers that sum to exactly 65535.
struct IntegerWeights {
  private(set) var weights: [UInt16] = []
  /// A buffer that is reused for every window.
  private var exact: [Double] = []

  mutating func set(_ window: ResamplingWindow, of axis: ResamplingAxis, at index: Int) {
    let scale = 65_535 / axis.computeWeights(window, at: index, into: &exact)
    var (sum, assigned) = (0.0, 0.0)
    weights.removeAll(keepingCapacity: true)
    for weight in exact {
      sum += weight * scale
      let rounded = min(sum, 65_535).rounded() - assigned
      assigned += rounded
      weights.append(UInt16(rounded))
    }
  }
}

extension ResamplingAxis {
  /// Stores the weights of a window in `weights`. Returns their sum.
  fileprivate func computeWeights(
    _ window: ResamplingWindow, at index: Int, into weights: inout [Double]
  ) -> Double {
    weights.removeAll(keepingCapacity: true)
    var sum = 0.0
    for source in window.first...window.last {
      let weight = weight(of: source, at: index)
      weights.append(weight)
      sum += weight
    }
    return sum
  }
}
