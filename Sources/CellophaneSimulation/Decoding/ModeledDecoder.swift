internal import Cellophane

/// A decoder that takes modeled time. It decodes modeled files, which have no pixels, or real ones.
struct ModeledDecoder: ResourceDecoder {
  /// A decoded image.
  struct Picture: Sendable, Hashable {
    /// The identity of the image.
    let identity: PictureIdentity
    /// The size of its pixels, in bytes, even if it has none.
    let pixelBytes: Int
    /// The time to decode a frame of an animation; nil for a still image.
    var frameTime: Duration?
  }

  let costs: SimulationConfiguration.Decoding
  let processor: ModeledProcessor
  let observers: RunObservers
  /// The length of the run, for which animations are played.
  let duration: Duration
  private let decoder = ImageDecoder()

  init(
    costs: SimulationConfiguration.Decoding, processor: ModeledProcessor, observers: RunObservers,
    duration: Duration = .zero
  ) {
    self.duration = duration
    self.costs = costs
    self.processor = processor
    self.observers = observers
  }

  func decode(_ bytes: [UInt8], options: ImageOptions) async throws(LoadError) -> Picture {
    // As in a real decoder, before its first row.
    if Task.isCancelled { throw .cancelled }
    let file = try file(bytes)
    let picture = try picture(of: file, bytes, options)
    try await processor.work(
      for: costs.time(of: file.size, isPNG: file.isPNG), on: picture.identity, observers)
    return picture
  }

  /// Returns the size of the shown pixels: the rows of a file are averaged while they are decoded.
  func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    // From the header alone: progressive decoding asks before the complete file has arrived.
    let size = costs.mode == .model ? try ModeledFile.head(of: bytes).file.size : try file(bytes).size
    return shownBytes(of: size, options)
  }

  func cost(of value: Picture) -> Int { value.pixelBytes }

  func incremental(options: ImageOptions) -> (any IncrementalDecoding<Picture>)? {
    costs.mode == .model ? ModeledPreviews { shownBytes(of: $0, options) } : nil
  }

  func playback(
    of value: Picture, on timeline: Timeline
  ) -> (any AsyncSequence<Picture, LoadError> & Sendable)? {
    value.frameTime.map {
      ModeledAnimation(
        picture: value, frameTime: $0, processor: processor, observers: observers, timeline: timeline,
        duration: duration)
    }
  }

  private struct File {
    let size: PixelSize
    let isPNG: Bool
    var isAnimated = false
    /// Nil for a real file, which its pixels identify.
    let identity: PictureIdentity?
  }

  /// Returns the header of a file.
  private func file(_ bytes: [UInt8]) throws(LoadError) -> File {
    switch costs.mode {
    case .model:
      let file = try ModeledFile(reading: bytes)
      return File(
        size: file.size, isPNG: file.isPNG, isAnimated: file.isAnimated,
        identity: .row(file.picture, version: file.version))
    case .real:
      let header = try decoder.header(of: bytes)
      return File(size: header.size, isPNG: header.format == .png, identity: nil)
    }
  }

  private func picture(
    of file: File, _ bytes: [UInt8], _ options: ImageOptions
  ) throws(LoadError) -> Picture {
    if let identity = file.identity {
      return Picture(
        identity: identity, pixelBytes: shownBytes(of: file.size, options),
        frameTime: file.isAnimated ? costs.time(of: file.size, isPNG: file.isPNG) : nil)
    }
    let image = try decoder.decode(bytes, options: options)
    return Picture(identity: PictureIdentity(readingRowFrom: image), pixelBytes: decoder.cost(of: image))
  }

  private func shownBytes(of size: PixelSize, _ options: ImageOptions) -> Int {
    let shown = options.targetSize.map { size.fitted(into: $0) } ?? size
    return 4 * shown.width * shown.height
  }
}
