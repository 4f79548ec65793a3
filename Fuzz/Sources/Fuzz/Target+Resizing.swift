@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks the size of a resized image against the documentation of ``ResizeMode``.
  func checkResizing(_ input: [UInt8]) -> Bool {
    guard let header = try? ImageDecoder.fuzzed.header(of: input) else { return false }
    let options = ImageOptions(choosing: input)
    let outcome = ImageDecoder.fuzzed.decodeTwice(input, options: options)
    var unresized = options
    unresized.targetSize = nil
    let whole = Outcome { () throws(LoadError) in
      try ImageDecoder.fuzzed.decode(input, options: unresized)
    }
    if let picture = outcome.picture, let wanted = options.targetSize {
      let size = PixelSize(width: picture.width, height: picture.height)
      let stored = options.appliesOrientation ? header.displaySize : header.size
      demand(
        options.enlarges
          ? wanted.isReached(by: size, of: stored, options.mode)
          : wanted.isKept(by: size, of: stored, options.mode),
        "\(stored) became \(size) for \(wanted), \(options)")
      demand(picture.pixels.count <= 4 * ImageDecoder.fuzzed.maximumPixels, "\(size) exceeds the limit")
    }
    // The number of rows of a damaged image depends on the scale at which it is decoded.
    if options.allowsPartial { return true }
    switch (outcome, whole) {
    case (.picture(let resized), .picture(let image)):
      demand(!image.isOpaque || resized.isOpaque, "an opaque image became transparent")
    case (.picture, .failure(let error)):
      demand(error.kind == .imageTooLarge, "decodes resized, but at full size: \(error)")
    case (.failure(let error), .picture):
      let stored = options.appliesOrientation ? header.displaySize : header.size
      let pixels = options.targetSize?.pixels(of: stored, options.mode) ?? 0
      let isBeyond = pixels > Double(ImageDecoder.fuzzed.maximumPixels)
      demand(
        options.enlarges && isBeyond && error.kind == .imageTooLarge,
        "decodes at full size, but resized: \(error)")
    case (.failure, .failure): break
    }
    return true
  }
}

extension ImageOptions {
  /// Creates options from the last bytes of `input`.
  init(choosing input: [UInt8]) {
    let bytes = Array(repeating: 0, count: Target.choosingBytes) + input
    let choice = bytes.suffix(Target.choosingBytes).map(Int.init)
    // Usually sides near those of the seeds, sometimes any side.
    let shift = choice[4] < 240 ? 0 : choice[4] % 48
    let limit = choice[5] < 128 ? 40 : 400
    self.init(
      targetSize: PixelSize(
        width: 1 + ((choice[0] << 8 | choice[1]) % limit) << shift,
        height: 1 + ((choice[2] << 8 | choice[3]) % limit) << shift),
      mode: ResizeMode.allCases[choice[6] % ResizeMode.allCases.count],
      filter: choice[7] & 4 == 0 ? .area : .lanczos3, enlarges: choice[7] & 8 == 0,
      appliesOrientation: choice[7] & 1 == 0, allowsPartial: choice[7] & 2 == 0)
  }
}

extension PixelSize {
  /// Returns the largest number of pixels of an image of the size `stored` for this target.
  fileprivate func pixels(of stored: PixelSize, _ mode: ResizeMode) -> Double {
    let area = Double(width) * Double(height)
    guard mode == .shortestSide else { return area }
    let shape = Double(stored.width) * Double(height) / (Double(stored.height) * Double(width))
    return area * max(shape, 1 / shape) * 1.01
  }

  /// Returns whether `size` is right for this target when images are enlarged: at least one side equals the
  /// target's.
  fileprivate func isReached(by size: PixelSize, of stored: PixelSize, _ mode: ResizeMode) -> Bool {
    if mode == .shortestSide { return surrounds(size, of: stored) }
    guard mode == .fit else { return size == self }
    return size.width > 0 && size.height > 0 && size.width <= width && size.height <= height
      && (size.width == width || size.height == height) && size.hasShape(of: stored)
  }

  /// Returns whether `size` is right for an image of the size `stored` and this target.
  ///
  /// This function follows the documentation of ``ResizeMode``, not the code of the decoder.
  fileprivate func isKept(by size: PixelSize, of stored: PixelSize, _ mode: ResizeMode) -> Bool {
    guard size.width > 0, size.height > 0, size.width <= stored.width, size.height <= stored.height
    else { return false }
    if mode == .shortestSide {
      return stored.width <= width || stored.height <= height
        ? size == stored : surrounds(size, of: stored)
    }
    guard size.width <= width, size.height <= height else { return false }
    let holds = stored.width <= width && stored.height <= height
    return switch mode {
    case .exact: size.width == min(width, stored.width) && size.height == min(height, stored.height)
    case .fit where holds: size == stored
    case .fit: (size.width == width || size.height == height) && size.hasShape(of: stored)
    case .shortestSide: false
    case .fill where width < stored.width && height < stored.height: size == self
    case .fill:
      (size.width == stored.width || size.height == stored.height || size == self)
        && size.hasShape(of: self)
    }
  }

  /// Returns whether `size` has the shape of `stored` and is the smallest one around this target.
  private func surrounds(_ size: PixelSize, of stored: PixelSize) -> Bool {
    size.width >= width && size.height >= height && (size.width == width || size.height == height)
      && size.hasShape(of: stored)
  }

  /// Returns whether the aspect ratios are equal, with a tolerance of one pixel for rounding.
  private func hasShape(of other: PixelSize) -> Bool {
    let width = Double(height) * Double(other.width) / Double(other.height)
    let height = Double(self.width) * Double(other.height) / Double(other.width)
    return abs(width - Double(self.width)) <= 1 || abs(height - Double(self.height)) <= 1
  }
}
