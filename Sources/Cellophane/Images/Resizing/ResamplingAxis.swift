/// The pixels of one row or column of the source on which one pixel of the result depends.
struct ResamplingWindow: Equatable {
  let first, last: Int

  var count: Int { last - first + 1 }
}

/// One direction of resampling: which pixels of the source make up each pixel of the result, and by how much.
struct ResamplingAxis {
  /// Where the part of the source that is kept begins.
  private let start: Double
  /// How many pixels the source has; windows end there, as if nothing lay outside.
  private let limit: Int
  /// How many pixels the result has.
  let count: Int
  private let filter: ResizeFilter
  /// How many pixels of the source there are for one of the result.
  private let scale: Double

  init(start: Double, length: Double, limit: Int, count: Int, filter: ResizeFilter) {
    self.start = start
    self.limit = limit
    self.count = count
    self.filter = filter
    scale = length / Double(count)
  }

  /// True when the result has more pixels than the part of the source.
  var isEnlarged: Bool { scale < 1 }
  /// True when weights are shares of an area, or of two neighbours: not negative.
  var isAveraged: Bool { filter == .area }
  /// The most pixels of the result that depend on one of the source while it is not enlarged; the most pixels
  /// of the source on which one of the result depends when it is.
  var overlap: Int { filter.overlap }
  /// The most pixels in a window.
  var longestWindow: Int {
    let length = filter == .area ? max(scale, 1) : 2 * Lanczos.lobes * max(scale, 1)
    return min(Int(length.rounded(.up)) + 1, limit)
  }

  /// The window of the pixel `index` of the result. Neither end ever moves back from one to the next.
  func window(at index: Int) -> ResamplingWindow {
    let lower, upper: Double
    switch filter {
    case .area where !isEnlarged:
      lower = start + scale * Double(index)
      upper = (start + scale * Double(index + 1)).rounded(.up) - 1
    case .area:
      lower = centre(of: index) - 0.5
      upper = lower.rounded(.down) + 1
    case .lanczos3:
      // The pixels whose centres lie within the kernel.
      let support = Lanczos.lobes * max(scale, 1)
      lower = centre(of: index) - support + 0.5
      upper = (centre(of: index) + support - 0.5).rounded(.down)
    }
    let end = Double(limit - 1)
    let first = Int(min(max(lower.rounded(.down), 0), end))
    return ResamplingWindow(first: first, last: max(first, Int(min(max(upper, 0), end))))
  }

  /// How much the pixel `source`, which must lie in the window, counts in the pixel `index` of the result.
  /// The weights of a window sum up to about 1: to be divided by their sum where that matters.
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

  /// The weights in the pixel `index` of what is enlarged, of the pixel `last` of the source, on which it
  /// depends, and of the seven before it, in their order. 0 outside of the window; they sum up to 1.
  func neighbourWeights(upTo last: Int, at index: Int) -> SIMD8<Float> {
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

  /// How far from a pixel of what is enlarged those lie on which it depends.
  private var reach: Double { filter == .area ? 1 : Lanczos.lobes }

  /// The first pixel of the result from `start` on that depends on pixels behind `source`.
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

  /// How far the centre of the pixel `source` is behind that of the pixel `index` of the result, in pixels of the
  /// source.
  private func distance(of source: Int, at index: Int) -> Double { Double(source) + 0.5 - centre(of: index) }

  private func centre(of index: Int) -> Double { start + scale * (Double(index) + 0.5) }
}

extension ResizeFilter {
  /// See ``ResamplingAxis/overlap``. Lanczos: its kernel is six pixels wide, and edges may cut into a seventh.
  var overlap: Int {
    switch self {
    case .area: 2
    case .lanczos3: 7
    }
  }
}
