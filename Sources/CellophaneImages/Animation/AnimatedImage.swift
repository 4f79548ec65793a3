/// An animated image: its file, and the times of its frames. Frames are decoded when they are needed.
///
/// An animated image is a value. Copies share the file.
public struct AnimatedImage: Sendable {
  /// The size of the canvas, in pixels.
  public let size: PixelSize
  /// The number of times that the frames are shown; nil for ever.
  public let playCount: Int?
  /// The time for which each frame is shown.
  ///
  /// Delays below 11 ms are 100 ms, as in browsers: files without a delay would otherwise take all of the processor.
  public let delays: [Duration]

  let file: [UInt8]
  let layout: AnimationLayout
  let codec: any FormatCodec
  let decoder: ImageDecoder
  private(set) var options: ImageOptions
  /// The geometry of each result.
  let framing: Framing

  /// The number of frames.
  public var frameCount: Int { delays.count }

  /// The maximum product of the pixels of the canvas and the number of frames. 2^32 pixels: 34 s of 1920x1080 pixels at 60
  /// frames a second.
  public static let maximumPixels = 1 << 32

  /// Reads the frames of a file without decoding them. Returns nil for a still image, and for a file with fewer than two
  /// complete frames or with a frame that exceeds the canvas of a PNG or WebP.
  ///
  /// - Parameters:
  ///   - options: The size, the colors and the processors of the frames.
  ///   - decoder: The decoder of the frames, with the codec of the format.
  /// - Throws: The errors of ``ImageDecoder/header(of:)``, and ``LoadError/Kind/imageTooLarge`` if the canvas exceeds a limit
  ///   of the decoder or all frames exceed ``maximumPixels``.
  /// - Complexity: linear in the number of the parts of the file.
  public init?(_ file: [UInt8], options: ImageOptions, decoder: ImageDecoder) throws(LoadError) {
    let (codec, header) = try decoder.parse(file)
    guard let layout = codec.animation(in: ByteView(file))?.complete(in: file.count) else { return nil }
    // Checks the canvas.
    _ = try decoder.workingBytes(for: file, options: options)
    let (pixels, isLarge) = (layout.size.area ?? .max).multipliedReportingOverflow(by: layout.frames.count)
    guard !isLarge, pixels <= Self.maximumPixels else {
      throw LoadError(
        .imageTooLarge,
        "the \(header.format.name) has \(layout.frames.count) frames of \(layout.size.width)x\(layout.size.height) pixels; "
          + "the limit is \(Self.maximumPixels) in all frames")
    }
    (self.file, self.layout, self.codec, self.decoder, self.options) = (file, layout, codec, decoder, options)
    framing = try Framing(
      stored: layout.size, orientation: options.appliesOrientation ? header.orientation : .up, scaling: .none,
      options: options)
    size = layout.size
    playCount = layout.plays
    delays = layout.frames.map { $0.delay < .milliseconds(11) ? .milliseconds(100) : $0.delay }
  }

  /// Returns the frames from the first one on.
  public func makeFrames() -> AnimationFrames { AnimationFrames(self) }

  /// Returns the animation whose frames are also changed by the last of the processors of `options`.
  func processed(for options: ImageOptions) -> AnimatedImage {
    var processed = self
    processed.options = options
    return processed
  }
}

extension AnimationLayout {
  /// Returns the layout without the frames from the first incomplete one on, in a file of `count` bytes; nil if fewer than two
  /// frames are left or one exceeds the canvas.
  fileprivate func complete(in count: Int) -> AnimationLayout? {
    let complete = frames.prefix { frame in frame.parts.allSatisfy { $0.upperBound <= count } }
    guard complete.count > 1,
      complete.allSatisfy({ frame in
        let isEmpty = frame.size.width == 0 || frame.size.height == 0
        return isEmpty
          || frame.x + frame.size.width <= size.width && frame.y + frame.size.height <= size.height
      })
    else { return nil }
    return AnimationLayout(size: size, plays: plays, frames: Array(complete))
  }
}
