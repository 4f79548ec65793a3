/// How a stored picture becomes the one asked for: at which scale its format decodes it, which part is kept,
/// and to how many pixels that part is brought. Pure arithmetic; all sizes are before orientation.
struct Framing: Equatable {
  /// A rectangle; its edges may lie within pixels.
  struct Part: Equatable {
    var x, y, width, height: Double
  }

  /// The codec decodes at 1/denominator.
  let denominator: Int
  /// The size that the codec delivers.
  let decoded: PixelSize
  /// What is kept of it, in decoded pixels.
  let part: Part
  /// The size that `part` is brought to.
  let output: PixelSize
  /// How its pixels are made.
  let filter: ResizeFilter
  /// How the result is turned.
  let orientation: Orientation

  /// How many decoded pixels there are at least, on each side, for one of the result. libjpeg scales each block
  /// of 8x8 by itself, which shows at the blocks' edges unless it is averaged once more.
  ///
  /// 2: eight photographs, most of 3 Mpx, were decoded at each scale, brought to 256 pixels by area and by
  /// lanczos3, and compared with the whole picture brought there. Medians: with about 1, 34.5 and 37 dB; with 2,
  /// 40 and 48 dB; with 3, 44 and 54 dB; with 4, 45 and 55 dB. Decoding alone took 7.4, 8.6, 10.7 and 9.6 ms,
  /// and averaging grows with the square.
  ///
  /// The scales of n/8 between the powers of two do not pay: where 1/1 took 12.3 ms and 1/2 9.6 ms, 7/8 took
  /// 22.3 ms, 6/8 17.1 ms, 5/8 15.0 ms and 3/8 10.7 ms.
  static let oversampling = 2

  /// - Throws: ``LoadError/Kind/invalidRequest`` for a target without pixels.
  init(header: ImageHeader, options: ImageOptions) throws(LoadError) {
    let orientation = options.appliesOrientation ? header.orientation : .up
    let stored = header.size
    guard let wanted = options.targetSize else {
      self.init(
        keeping: Part(whole: stored), of: stored, output: stored, denominator: 1, options.filter, orientation)
      return
    }
    guard wanted.width > 0, wanted.height > 0 else {
      throw LoadError(
        .invalidRequest, "the target size \(wanted.width)x\(wanted.height) is not at least 1x1")
    }
    // Sides end at 2^31 in both formats, so that no product of two overflows.
    let target = orientation.turned(
      PixelSize(width: min(wanted.width, 1 << 31), height: min(wanted.height, 1 << 31)))
    let (part, output) = Self.placing(stored, in: target, mode: options.mode, enlarges: options.enlarges)
    let denominator = header.format == .jpeg ? Self.denominator(from: part, to: output) : 1
    self.init(
      keeping: part, of: stored, output: output, denominator: denominator, options.filter, orientation)
  }

  private init(
    keeping part: Part, of stored: PixelSize, output: PixelSize, denominator: Int,
    _ filter: ResizeFilter, _ orientation: Orientation
  ) {
    self.filter = filter
    self.denominator = denominator
    self.orientation = orientation
    self.output = output
    // libjpeg rounds up; the last row and column then stand for less than a whole pixel of `part`.
    decoded = PixelSize(
      width: (stored.width + denominator - 1) / denominator,
      height: (stored.height + denominator - 1) / denominator)
    let scale = Double(denominator)
    self.part = Part(
      x: part.x / scale, y: part.y / scale, width: part.width / scale, height: part.height / scale)
  }

  /// True when pixels have to be made anew; otherwise `part` lies on whole pixels.
  var isResampled: Bool { part.width != Double(output.width) || part.height != Double(output.height) }

  /// The size of the result as shown.
  var shown: PixelSize { orientation.turned(output) }

  /// True when the result is what the codec delivers.
  var isWhole: Bool { orientation == .up && output == decoded && !isResampled }

  /// What is kept of a picture, and the size it is brought to.
  private static func placing(
    _ stored: PixelSize, in target: PixelSize, mode: ResizeMode, enlarges: Bool
  ) -> (Part, PixelSize) {
    switch mode {
    case .fit:
      let isSmaller = stored.width <= target.width && stored.height <= target.height
      return (Part(whole: stored), isSmaller && !enlarges ? stored : stored.shaped(within: target))
    case .exact:
      if enlarges { return (Part(whole: stored), target) }
      let output = PixelSize(
        width: min(target.width, stored.width), height: min(target.height, stored.height))
      return (Part(whole: stored), output)
    case .fill:
      if enlarges || target.width < stored.width && target.height < stored.height {
        let scale = max(
          Double(target.width) / Double(stored.width), Double(target.height) / Double(stored.height))
        let width = min(Double(target.width) / scale, Double(stored.width))
        let height = min(Double(target.height) / scale, Double(stored.height))
        let part = Part(
          x: (Double(stored.width) - width) / 2, y: (Double(stored.height) - height) / 2, width: width,
          height: height)
        return (part, target)
      }
      // Nothing is enlarged: the largest part of the target's shape is cut out on whole pixels, not averaged.
      let isSmaller = target.width <= stored.width && target.height <= stored.height
      let output = isSmaller ? target : target.shaped(within: stored)
      let part = Part(
        x: Double((stored.width - output.width) / 2), y: Double((stored.height - output.height) / 2),
        width: Double(output.width), height: Double(output.height))
      return (part, output)
    }
  }

  private static func denominator(from part: Part, to output: PixelSize) -> Int {
    let fitting = [8, 4, 2].first { denominator in
      let least = Double(denominator * oversampling)
      return part.width >= least * Double(output.width) && part.height >= least * Double(output.height)
    }
    return fitting ?? 1
  }
}

extension Framing.Part {
  init(whole size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }
}

extension PixelSize {
  /// The largest size of this shape that lies within `bounds`; at least 1x1. All sides must be positive and
  /// at most 2^31.
  package func shaped(within bounds: PixelSize) -> PixelSize {
    if bounds.width * height <= bounds.height * width {
      let height = (height * bounds.width + width / 2) / width
      return PixelSize(width: bounds.width, height: max(height, 1))
    }
    let width = (width * bounds.height + height / 2) / height
    return PixelSize(width: max(width, 1), height: bounds.height)
  }
}
