@testable import Cellophane

extension Target {
  func checkResizing(_ input: [UInt8]) -> Bool {
    guard let header = try? ImageHeader(of: input) else { return false }
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
      demand(picture.pixels.count <= 4 * ImageDecoder.fuzzed.maximumPixels, "\(size) is beyond the limit")
    }
    // How many rows of a damaged picture there are depends on the scale at which it is decoded.
    if options.allowsPartial { return true }
    switch (outcome, whole) {
    case (.picture(let resized), .picture(let image)):
      demand(!image.isOpaque || resized.isOpaque, "an opaque picture became transparent")
    case (.picture, .failure(let error)):
      demand(error.kind == .imageTooLarge, "resized it decodes; whole: \(error)")
    case (.failure(let error), .picture):
      let isBeyond = options.targetSize?.area.map { $0 > ImageDecoder.fuzzed.maximumPixels } ?? true
      demand(
        options.enlarges && isBeyond && error.kind == .imageTooLarge, "whole it decodes; resized: \(error)")
    case (.failure, .failure): break
    }
    return true
  }
}

extension ImageOptions {
  /// Options chosen by the last bytes of `input`.
  init(choosing input: [UInt8]) {
    let bytes = Array(repeating: 0, count: Target.choosingBytes) + input
    let choice = bytes.suffix(Target.choosingBytes).map(Int.init)
    // Sides around those of the seeds, and sometimes any.
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
  /// The same when pictures are enlarged: one side at least is the target's.
  fileprivate func isReached(by size: PixelSize, of stored: PixelSize, _ mode: ResizeMode) -> Bool {
    guard mode == .fit else { return size == self }
    return size.width > 0 && size.height > 0 && size.width <= width && size.height <= height
      && (size.width == width || size.height == height) && size.hasShape(of: stored)
  }

  /// Whether a picture of `stored` may become `size` when this is the target: written from the documentation
  /// of ``ResizeMode``, not from the code.
  fileprivate func isKept(by size: PixelSize, of stored: PixelSize, _ mode: ResizeMode) -> Bool {
    guard size.width > 0, size.height > 0, size.width <= stored.width, size.height <= stored.height,
      size.width <= width, size.height <= height
    else { return false }
    let holds = stored.width <= width && stored.height <= height
    return switch mode {
    case .exact: size.width == min(width, stored.width) && size.height == min(height, stored.height)
    case .fit where holds: size == stored
    case .fit: (size.width == width || size.height == height) && size.hasShape(of: stored)
    case .fill where width < stored.width && height < stored.height: size == self
    case .fill:
      (size.width == stored.width || size.height == stored.height || size == self)
        && size.hasShape(of: self)
    }
  }

  /// The same proportions, but for one pixel of rounding.
  private func hasShape(of other: PixelSize) -> Bool {
    let width = Double(height) * Double(other.width) / Double(other.height)
    let height = Double(self.width) * Double(other.height) / Double(other.width)
    return abs(width - Double(self.width)) <= 1 || abs(height - Double(self.height)) <= 1
  }
}
