/// The smaller sizes at which a codec can decode.
package struct CodecScaling: Equatable, Sendable {
  /// The scales 1/n, beside 1, in descending order of n.
  package let denominators: [Int]
  /// True if the codec averages the complete image to any smaller size.
  package let isFree: Bool

  /// A codec that decodes at full size only.
  package static let none = CodecScaling(denominators: [])

  package init(denominators: [Int], isFree: Bool = false) {
    (self.denominators, self.isFree) = (denominators, isFree)
  }
}

/// The geometry of a decoding: the scale at which the codec decodes, the part that is kept, its size in the
/// result, and the orientation.
///
/// All sizes are in stored orientation.
package struct Framing: Equatable {
  /// A rectangle whose edges may be within pixels.
  struct Crop: Equatable {
    var x, y, width, height: Double
  }

  /// The codec decodes at 1/denominator of the stored size; 1 if it averages to any size.
  package let denominator: Int
  /// The size that the codec delivers.
  package let decoded: PixelSize
  /// The part that is kept, in decoded pixels.
  let crop: Crop
  /// The size to which ``crop`` is resampled.
  package let output: PixelSize
  /// The filter that computes the pixels of the result.
  let filter: ResizeFilter
  /// The orientation that is applied to the result.
  let orientation: Orientation

  /// The minimum number of decoded pixels on each side for one pixel of the result.
  ///
  /// libjpeg scales each block of 8x8 separately. The edges of the blocks are visible unless the image is
  /// averaged once more.
  ///
  /// The value 2 is measured with eight photographs, most of 3 megapixels. They were decoded at each scale,
  /// resampled to 256 pixels, and compared with the result from the full scale. Medians:
  ///
  /// - About 1: 34.5 dB with area and 37 dB with lanczos3; decoding took 7.4 ms.
  /// - 2: 40 and 48 dB; 8.6 ms.
  /// - 3: 44 and 54 dB; 10.7 ms.
  /// - 4: 45 and 55 dB; 9.6 ms.
  ///
  /// The time for averaging grows with the square of the value.
  ///
  /// The scales n/8 between the powers of two are slower: 1/1 took 12.3 ms and 1/2 9.6 ms, but 7/8 took 22.3
  /// ms, 6/8 17.1 ms, 5/8 15.0 ms and 3/8 10.7 ms.
  static let oversampling = 2

  /// Computes the geometry for an image and its options.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a target size without pixels.
  init(
    header: ImageHeader, scaling: CodecScaling, options: ImageOptions
  ) throws(LoadError) {
    try self.init(
      stored: header.size, orientation: options.appliesOrientation ? header.orientation : .up,
      scaling: scaling, options: options)
  }

  /// Computes the geometry for an image of the size `stored`, to which `orientation` is applied.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a target size without pixels.
  init(
    stored: PixelSize, orientation: Orientation, scaling: CodecScaling, options: ImageOptions
  ) throws(LoadError) {
    guard let wanted = options.targetSize else {
      self.init(
        keeping: Crop(entire: stored), of: stored, output: stored, denominator: 1, options.filter,
        orientation)
      return
    }
    guard wanted.width > 0, wanted.height > 0 else {
      throw LoadError(
        .invalidRequest, "the target size \(wanted.width)x\(wanted.height) must be at least 1x1")
    }
    // No side exceeds 2^31 in any format, so the product of two sides cannot overflow.
    let target = orientation.applied(
      to: PixelSize(width: min(wanted.width, 1 << 31), height: min(wanted.height, 1 << 31)))
    let (crop, output) = Self.fitting(stored, to: target, mode: options.mode, enlarges: options.enlarges)
    let isWholeAverage =
      options.filter == .area && crop == Crop(entire: stored) && output.width <= stored.width
      && output.height <= stored.height
    if scaling.isFree, isWholeAverage {
      self.init(
        keeping: Crop(entire: output), of: output, output: output, denominator: 1, options.filter, orientation
      )
      return
    }
    let denominator = Self.denominator(of: scaling.denominators, from: crop, to: output)
    self.init(
      keeping: crop, of: stored, output: output, denominator: denominator, options.filter, orientation)
  }

  private init(
    keeping crop: Crop, of stored: PixelSize, output: PixelSize, denominator: Int,
    _ filter: ResizeFilter, _ orientation: Orientation
  ) {
    self.filter = filter
    self.denominator = denominator
    self.orientation = orientation
    self.output = output
    // libjpeg rounds up. The last row and column can then cover less than a complete pixel of `crop`.
    decoded = PixelSize(
      width: (stored.width + denominator - 1) / denominator,
      height: (stored.height + denominator - 1) / denominator)
    let scale = Double(denominator)
    self.crop = Crop(
      x: crop.x / scale, y: crop.y / scale, width: crop.width / scale, height: crop.height / scale)
  }

  /// True if the pixels must be resampled. Otherwise the edges of ``crop`` are at pixel boundaries.
  var isResampled: Bool { crop.width != Double(output.width) || crop.height != Double(output.height) }

  /// The size of the result after orientation is applied.
  var displaySize: PixelSize { orientation.applied(to: output) }

  /// True if the result is equal to the output of the codec.
  package var isIdentity: Bool { orientation == .up && output == decoded && !isResampled }

  /// Returns the part of an image that is kept, and its size in the result.
  private static func fitting(
    _ stored: PixelSize, to target: PixelSize, mode: ResizeMode, enlarges: Bool
  ) -> (Crop, PixelSize) {
    switch mode {
    case .fit:
      let isSmaller = stored.width <= target.width && stored.height <= target.height
      return (Crop(entire: stored), isSmaller && !enlarges ? stored : stored.shaped(within: target))
    case .exact:
      if enlarges { return (Crop(entire: stored), target) }
      let output = PixelSize(
        width: min(target.width, stored.width), height: min(target.height, stored.height))
      return (Crop(entire: stored), output)
    case .shortestSide:
      let isSmaller = stored.width <= target.width || stored.height <= target.height
      return (Crop(entire: stored), isSmaller && !enlarges ? stored : stored.shaped(around: target))
    case .fill:
      if enlarges || target.width < stored.width && target.height < stored.height {
        let scale = max(
          Double(target.width) / Double(stored.width), Double(target.height) / Double(stored.height))
        let width = min(Double(target.width) / scale, Double(stored.width))
        let height = min(Double(target.height) / scale, Double(stored.height))
        let crop = Crop(
          x: (Double(stored.width) - width) / 2, y: (Double(stored.height) - height) / 2, width: width,
          height: height)
        return (crop, target)
      }
      // No enlarging: crops the largest part with the aspect ratio of the target, at pixel boundaries and
      // without averaging.
      let isSmaller = target.width <= stored.width && target.height <= stored.height
      let output = isSmaller ? target : target.shaped(within: stored)
      let crop = Crop(
        x: Double((stored.width - output.width) / 2), y: Double((stored.height - output.height) / 2),
        width: Double(output.width), height: Double(output.height))
      return (crop, output)
    }
  }

  private static func denominator(of denominators: [Int], from crop: Crop, to output: PixelSize) -> Int {
    let fitting = denominators.first { denominator in
      let minimum = Double(denominator * oversampling)
      return crop.width >= minimum * Double(output.width) && crop.height >= minimum * Double(output.height)
    }
    return fitting ?? 1
  }
}

extension Framing.Crop {
  /// Returns the rectangle of a complete image.
  init(entire size: PixelSize) {
    self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
  }
}

extension PixelSize {
  /// Returns the largest size with this aspect ratio within `bounds`, at least 1x1. All sides must be in
  /// 1...2^31.
  package func shaped(within bounds: PixelSize) -> PixelSize {
    if bounds.width * height <= bounds.height * width {
      let height = (height * bounds.width + width / 2) / width
      return PixelSize(width: bounds.width, height: max(height, 1))
    }
    let width = (width * bounds.height + height / 2) / height
    return PixelSize(width: max(width, 1), height: bounds.height)
  }

  /// Returns the smallest size with this aspect ratio around `bounds`, at most 2^31 on each side. All sides must be in
  /// 1...2^31.
  func shaped(around bounds: PixelSize) -> PixelSize {
    if bounds.width * height >= bounds.height * width {
      let height = (height * bounds.width + width / 2) / width
      return PixelSize(width: bounds.width, height: min(height, 1 << 31))
    }
    let width = (width * bounds.height + height / 2) / height
    return PixelSize(width: min(width, 1 << 31), height: bounds.height)
  }
}
