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
/// The value has the encoded file of an animation, which counts in the memory cache. A slot of such values plays them.
public struct AnimatedImageDecoder: ResourceDecoder {
  private let images: ImageDecoder
  private let pool: AnimationPool
  private let reducesMotion: Bool

  /// Creates a decoder of the formats and with the limits of `images`.
  ///
  /// - Parameters:
  ///   - pool: The memory of the frames that slots play. If its free part is too small, a slot shows only the first frame.
  ///   - reducesMotion: Whether slots show only the first frame.
  public init(images: ImageDecoder, pool: AnimationPool = .shared, reducesMotion: Bool = false) {
    (self.images, self.pool, self.reducesMotion) = (images, pool, reducesMotion)
  }

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
    guard isAnimated(bytes) else { return still }
    let header = try images.header(of: bytes)
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

  /// Returns the form of ``ImageDecoder`` for still images. Animations are not stored.
  public func resultForm(options: ImageOptions) -> ResultForm<PlayableImage>? {
    images.resultForm(options: options).map { still in
      ResultForm(
        name: "playable;" + still.name, encode: { $0.animation == nil ? still.encode($0.image) : nil },
        decode: { still.decode($0).map { PlayableImage(image: $0) } })
    }
  }

  /// Returns a decoding with the previews of ``ImageDecoder``.
  public func incremental(options: ImageOptions) -> (any IncrementalDecoding<PlayableImage>)? {
    IncrementalPlayableDecoding(self, IncrementalImageDecoding(images, options), options)
  }

  /// Returns the frames of an animation; nil for a still image, and if motion is reduced.
  public func playback(
    of value: PlayableImage, on timeline: Timeline
  ) -> (any AsyncSequence<PlayableImage, LoadError> & Sendable)? {
    guard let animation = value.animation, !reducesMotion else { return nil }
    return PlayableFrames(
      animation: animation, frames: AnimationPlayback(animation, pool: pool, timeline: timeline))
  }

  /// The media types of the formats.
  public var acceptedTypes: String? { images.acceptedTypes }

  /// Returns whether the file that begins with `bytes` has frames.
  fileprivate func isAnimated(_ bytes: [UInt8]) -> Bool {
    guard let (codec, header) = try? images.parse(bytes), header.isAnimated else { return false }
    return codec.animation(in: ByteView(bytes)) != nil
  }

  /// Returns the bytes of the pixels, of the color profile and of the file of an animation.
  public func cost(of value: PlayableImage) -> Int {
    images.cost(of: value.image) + (value.animation?.file.count ?? 0)
  }
}

/// The frames of an animation as values of a slot.
private struct PlayableFrames: AsyncSequence {
  let animation: AnimatedImage
  let frames: AnimationPlayback

  func makeAsyncIterator() -> Iterator { Iterator(animation: animation, frames: frames.makeAsyncIterator()) }

  struct Iterator: AsyncIteratorProtocol {
    let animation: AnimatedImage
    var frames: AnimationPlayback.Iterator

    mutating func next() async throws(LoadError) -> PlayableImage? {
      try await next(isolation: #isolation)
    }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(LoadError) -> PlayableImage? {
      try await frames.next(isolation: actor).map { PlayableImage(image: $0.image, animation: animation) }
    }
  }
}

/// A decoding of an image whose file arrives in pieces, and which is an animation or not.
private final class IncrementalPlayableDecoding: IncrementalDecoding {
  private let decoder: AnimatedImageDecoder
  private let images: IncrementalImageDecoding
  private let options: ImageOptions

  init(_ decoder: AnimatedImageDecoder, _ images: IncrementalImageDecoding, _ options: ImageOptions) {
    (self.decoder, self.images, self.options) = (decoder, images, options)
  }

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool { try images.feed(piece) }

  func preview() throws(LoadError) -> PlayableImage? { try images.preview().map { PlayableImage(image: $0) } }

  func finish() throws(LoadError) -> PlayableImage {
    if decoder.isAnimated(images.bytes) { return try decoder.decode(images.bytes, options: options) }
    return PlayableImage(image: try images.finish())
  }
}
