/// The frames of an ``AnimatedImage``, in order and without end: the first follows the last.
///
/// Each frame depends on the ones before it, so that none can be skipped. The canvas takes 4 bytes for each of its pixels, and
/// twice as much if a frame restores the canvas before it.
public struct AnimationFrames: Sendable {
  private let animation: AnimatedImage
  private var composer: FrameComposer
  /// The color profile of the frame on the canvas, if that frame was not returned yet.
  private var composed: ColorProfile??

  init(_ animation: AnimatedImage) {
    self.animation = animation
    var options = animation.options
    (options.targetSize, options.appliesOrientation) = (nil, false)
    (options.allowsPartial, options.processors) = (false, [])
    composer = FrameComposer(animation.file, animation.layout, animation.codec, animation.decoder, options)
  }

  /// The index of the frame that ``next()`` returns.
  public var index: Int { (composer.next - (composed == nil ? 0 : 1)) % animation.frameCount }

  /// Returns the next frame, resized and processed by the options.
  ///
  /// - Throws: The errors of ``ImageDecoder/decode(_:options:)`` for the frame. The next call tries it again.
  public mutating func next() throws(LoadError) -> Image {
    let profile: ColorProfile?
    if let composed { profile = composed } else { profile = try composer.advance() }
    composed = .some(profile)
    let frame = try framed(profile).processed(for: animation.options)
    composed = .none
    return frame
  }

  /// Returns the canvas, oriented and resized.
  private func framed(_ profile: ColorProfile?) throws(LoadError) -> Image {
    let (size, framing) = (animation.layout.size, animation.framing)
    guard !framing.isIdentity else {
      return try Image(width: size.width, height: size.height, pixels: composer.canvas, colorProfile: profile)
    }
    var reframer = Reframer(framing, byteCount: framing.output.width * framing.output.height * 4)
    let watch = animation.decoder.watch()
    var strip = PixelRows(width: size.width, count: 1)
    for row in 0..<size.height {
      if row % ImageAssembler.stripHeight == 0 { try watch.check() }
      strip.pixels = Array(composer.canvas[row * size.width * 4..<(row + 1) * size.width * 4])
      reframer.add(strip, rows: 0..<1)
    }
    return try Image(
      width: framing.displaySize.width, height: framing.displaySize.height, pixels: reframer.pixels,
      colorProfile: profile)
  }
}
