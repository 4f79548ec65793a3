/// An image that may be animated.
public struct PlayableImage: Sendable {
  /// The first frame of an animation, or the still image.
  public let image: Image
  /// The animation; nil for a still image. ``AnimationPlayback`` plays it.
  public let animation: AnimatedImage?

  /// Creates a value.
  public init(image: Image, animation: AnimatedImage? = nil) {
    (self.image, self.animation) = (image, animation)
  }
}

/// A decoder of images that may be animated. The first frame is decoded at once, the others when they are played.
///
/// The value has the encoded file of an animation, which counts in the memory cache. Images have no previews while they
/// arrive; with ``ImageDecoder`` they have.
public struct AnimatedImageDecoder: ResourceDecoder {
  private let images: ImageDecoder

  /// Creates a decoder of the formats and with the limits of `images`.
  public init(images: ImageDecoder) { self.images = images }

  /// Decodes a still image, or the first frame of an animation.
  ///
  /// An animation that exceeds ``AnimatedImage/maximumPixels``, or whose first frame is damaged, is decoded as a still image.
  ///
  /// - Throws: The errors of ``ImageDecoder/decode(_:options:)``.
  public func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> PlayableImage {
    if let animation = try? AnimatedImage(bytes, options: options, decoder: images) {
      var frames = animation.makeFrames()
      if let first = try? frames.next() { return PlayableImage(image: first, animation: animation) }
    }
    return PlayableImage(image: try images.decode(bytes, options: options))
  }

  /// Returns the peak memory of a decoding, result included, in bytes.
  public func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    let still = try images.workingBytes(for: bytes, options: options)
    let (codec, header) = try images.parse(bytes)
    guard header.isAnimated, codec.animation(in: ByteView(bytes)) != nil else { return still }
    // The frame and the canvas, whose size is within the limits.
    return still + header.size.width * header.size.height * 8
  }

  /// Returns the last processor of `options` as a step, which also changes the later frames of an animation.
  public func derivation(options: ImageOptions) -> Derivation<ImageOptions, PlayableImage>? {
    guard let still = images.derivation(options: options) else { return nil }
    return Derivation(
      from: still.base, workingBytes: { still.workingBytes($0.image) },
      derive: { base throws(LoadError) in
        PlayableImage(
          image: try still.derive(base.image), animation: base.animation?.processed(for: options))
      })
  }

  /// The media types of the formats.
  public var acceptedTypes: String? { images.acceptedTypes }

  /// Returns the bytes of the pixels, of the color profile and of the file of an animation.
  public func cost(of value: PlayableImage) -> Int {
    images.cost(of: value.image) + (value.animation?.file.count ?? 0)
  }
}
