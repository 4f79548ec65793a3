/// The windows of an axis and their weights, one after the other.
struct FractionWeights {
  private(set) var windows: [ResamplingWindow] = []
  /// As many for each window as it has pixels; they sum up to 1.
  private(set) var weights: [Float] = []

  init(_ axis: ResamplingAxis) {
    windows.reserveCapacity(axis.count)
    var exact: [Double] = []
    for index in 0..<axis.count {
      let window = axis.window(at: index)
      windows.append(window)
      if axis.isEnlarged {
        let shares = axis.neighbourWeights(upTo: window.last, at: index)
        for place in 8 - window.count..<8 { weights.append(shares[place]) }
        continue
      }
      let sum = axis.weigh(window, at: index, into: &exact)
      for weight in exact { weights.append(Float(weight / sum)) }
    }
  }
}

/// The windows of an axis and their weights, two pixels at a time: all windows are made as long as the longest,
/// by pixels that count nothing, so that there is no loop but of a fixed length.
struct PairedWeights {
  /// How many pairs a window has.
  let pairs: Int
  /// The first pixel of each window.
  private(set) var first: [Int] = []
  /// The weights of each pair: that of its first pixel four times, that of its second four times.
  private(set) var weights: [SIMD8<UInt16>] = []

  init(_ axis: ResamplingAxis) {
    let windows = (0..<axis.count).map { axis.window(at: $0) }
    let longest = windows.reduce(1) { max($0, $1.count) }
    pairs = (longest + 1) / 2
    first.reserveCapacity(axis.count)
    weights.reserveCapacity(axis.count * pairs)
    var shares = WholeWeights()
    for (index, window) in windows.enumerated() {
      shares.set(window, of: axis, at: index)
      first.append(window.first)
      for at in stride(from: 0, to: pairs * 2, by: 2) {
        let left = SIMD4(repeating: at < window.count ? shares.weights[at] : 0)
        let right = SIMD4(repeating: at + 1 < window.count ? shares.weights[at + 1] : 0)
        weights.append(SIMD8(lowHalf: left, highHalf: right))
      }
    }
  }
}

extension PairedWeights {
  /// The most memory that the weights of `source` pixels for `count` take, in bytes, while they are made.
  static func mostBytes(from source: Int, to count: Int) -> Int {
    // A window begins and ends within a pixel, and is made even: three pixels more than its length at most, and
    // two are a pair. Longer ones are not made.
    let pixels = min(source + 3 * count, (OpaqueAverager.longestWindow + 1) * count)
    return pixels * MemoryLayout<SIMD8<UInt16>>.stride / 2
      + count * (MemoryLayout<Int>.stride + MemoryLayout<ResamplingWindow>.stride)
  }
}

/// The weights of one window in whole numbers, which sum up to 65535 exactly.
struct WholeWeights {
  private(set) var weights: [UInt16] = []
  /// Kept for its memory.
  private var exact: [Double] = []

  mutating func set(_ window: ResamplingWindow, of axis: ResamplingAxis, at index: Int) {
    let scale = 65_535 / axis.weigh(window, at: index, into: &exact)
    var (sum, given) = (0.0, 0.0)
    weights.removeAll(keepingCapacity: true)
    for weight in exact {
      sum += weight * scale
      let share = min(sum, 65_535).rounded() - given
      given += share
      weights.append(UInt16(share))
    }
  }
}

extension ResamplingAxis {
  /// Puts the weights of a window into `weights`; what they sum up to.
  fileprivate func weigh(_ window: ResamplingWindow, at index: Int, into weights: inout [Double]) -> Double {
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
