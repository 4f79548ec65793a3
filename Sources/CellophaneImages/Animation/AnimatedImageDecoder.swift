/// An image that may be animated.
public struct PlayableImage: Sendable {
  /// The first frame of an animation, or the still image.
  public let image: Image
  /// The animation; nil for a still image. ``AnimationPlayback`` plays it.
  public let animation: AnimatedImage?
}

/// A decoder of images that may be animated. The first frame is decoded at once, the others when they are played.
///
/// The value has the encoded file of an animation, which counts in the memory cache. Still images have no previews while they
/// arrive; ``ImageDecoder`` has.
public struct AnimatedImageDecoder: ResourceDecoder {
  private let images: ImageDecoder

  /// Creates a decoder of the formats and with the limits of `images`.
  public init(images: ImageDecoder) { self.images = images }

  /// Decodes a still image, or the first frame of an animation.
  ///
  /// - Throws: The errors of ``ImageDecoder/decode(_:options:)`` and of ``AnimatedImage/init(_:options:decoder:)``.
  public func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> PlayableImage {
    guard let animation = try AnimatedImage(bytes, options: options, decoder: images) else {
      return PlayableImage(image: try images.decode(bytes, options: options), animation: nil)
    }
    var frames = animation.makeFrames()
    return PlayableImage(image: try frames.next(), animation: animation)
  }

  /// Returns the peak memory of a decoding, result included, in bytes.
  public func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    let still = try images.workingBytes(for: bytes, options: options)
    let (_, header) = try images.parse(bytes)
    // The frame and the canvas, whose size is within the limits.
    return header.isAnimated ? still + header.size.width * header.size.height * 8 : still
  }

  /// The media types of the formats.
  public var acceptedTypes: String? { images.acceptedTypes }

  /// Returns the bytes of the pixels, of the color profile and of the file of an animation.
  public func cost(of value: PlayableImage) -> Int {
    images.cost(of: value.image) + (value.animation?.file.count ?? 0)
  }
}
