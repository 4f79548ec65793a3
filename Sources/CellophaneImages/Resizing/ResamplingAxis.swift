/// The range of pixels in a row or column of the source on which one pixel of the result depends.
struct ResamplingWindow: Equatable {
  let first, last: Int

  var count: Int { last - first + 1 }
}

/// The windows and weights of resampling in one direction.
struct ResamplingAxis {
  /// The start of the crop in the source.
  private let start: Double
  /// The number of pixels in the source. Windows are clipped to it.
  private let limit: Int
  /// The number of pixels in the result.
  let count: Int
  private let filter: ResizeFilter
  /// The number of pixels of the source for one pixel of the result.
  private let scale: Double

  init(start: Double, length: Double, limit: Int, count: Int, filter: ResizeFilter) {
    self.start = start
    self.limit = limit
    self.count = count
    self.filter = filter
    scale = length / Double(count)
  }

  /// True if the result has more pixels than the crop.
  var isEnlarged: Bool { scale < 1 }
  /// True if no weight is negative: weights are fractions of an area or of two neighbors.
  var isAveraged: Bool { filter == .area }
  /// If the result is not enlarged: the maximum number of pixels of the result that depend on one of the
  /// source. Otherwise: the maximum number of pixels of the source on which one of the result depends.
  var overlap: Int { filter.overlap }
  /// The maximum number of pixels in a window.
  var longestWindow: Int {
    let length = filter == .area ? max(scale, 1) : 2 * Lanczos.lobes * max(scale, 1)
    return min(Int(length.rounded(.up)) + 1, limit)
  }

  /// Returns the window of the pixel `index` of the result. Neither end decreases if `index` increases.
  func window(at index: Int) -> ResamplingWindow {
    let lower, upper: Double
    switch filter {
    case .area where !isEnlarged:
      lower = start + scale * Double(index)
      upper = (start + scale * Double(index + 1)).rounded(.up) - 1
    case .area:
      lower = center(of: index) - 0.5
      upper = lower.rounded(.down) + 1
    case .lanczos3:
      // The pixels with centers within the kernel.
      let support = Lanczos.lobes * max(scale, 1)
      lower = center(of: index) - support + 0.5
      upper = (center(of: index) + support - 0.5).rounded(.down)
    }
    let end = Double(limit - 1)
    let first = Int(min(max(lower.rounded(.down), 0), end))
    return ResamplingWindow(first: first, last: max(first, Int(min(max(upper, 0), end))))
  }

  /// Returns the weight of the pixel `source` in the pixel `index` of the result.
  ///
  /// `source` must be in the window. The weights of a window sum to about 1. Divide them by their sum if an
  /// exact sum is necessary.
  func weight(of source: Int, at index: Int) -> Double {
    switch filter {
    case .area where !isEnlarged:
      let lower = start + scale * Double(index)
      let covered = min(Double(source + 1), lower + scale) - max(Double(source), lower)
      return max(covered, 0) / scale
    case .area:
      return max(1 - abs(distance(of: source, at: index)), 0)
    case .lanczos3:
      return Lanczos.weight(at: distance(of: source, at: index) / max(scale, 1)) / max(scale, 1)
    }
  }

  /// Returns the weights of eight pixels of the source in the pixel `index` of an enlarged result.
  ///
  /// The eight pixels end with `last`, which must be in the window. Weights outside of the window are 0. The
  /// sum is 1.
  func neighborWeights(upTo last: Int, at index: Int) -> SIMD8<Float> {
    let steps = SIMD8<Double>(0, 1, 2, 3, 4, 5, 6, 7)
    let first = distance(of: last - 7, at: index)
    let distances = first + steps
    var weights =
      switch filter {
      case .area: 1 - distances.replacing(with: -distances, where: distances .< 0)
      case .lanczos3: Lanczos.weights(from: first, distances)
      }
    weights.replace(with: 0, where: distances .< -reach .| distances .> reach .| steps .< Double(7 - last))
    return SIMD8<Float>(weights / weights.sum())
  }

  /// The distance within which a pixel of an enlarged result depends on pixels of the source.
  private var reach: Double { filter == .area ? 1 : Lanczos.lobes }

  /// Returns the first pixel of the result, from `start`, that depends on pixels after `source`.
  ///
  /// - Complexity: logarithmic in the size of the result.
  func firstIndex(from start: Int, dependingBeyond source: Int) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = low + (high - low) / 2
      if window(at: middle).last > source { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Returns the distance from the center of the pixel `index` of the result to that of `source`, in pixels
  /// of the source.
  private func distance(of source: Int, at index: Int) -> Double { Double(source) + 0.5 - center(of: index) }

  private func center(of index: Int) -> Double { start + scale * (Double(index) + 0.5) }
}

extension ResizeFilter {
  /// See ``ResamplingAxis/overlap``. The Lanczos kernel is six pixels wide and may touch a seventh.
  var overlap: Int {
    switch self {
    case .area: 2
    case .lanczos3: 7
    }
  }
}
