internal import Cellophane

/// Decodes in modelled time: modelled files, which have no pixels, or real ones.
struct ModelledDecoder: ResourceDecoder {
  /// What came of a file.
  struct Picture: Sendable, Hashable {
    /// What it proves to be.
    let identity: PictureIdentity
    /// What its pixels occupy, or would, in bytes.
    let pixelBytes: Int
  }

  let costs: SimulationConfiguration.Decoding
  let processor: ModelledProcessor
  let observers: RunObservers
  private let decoder = ImageDecoder()

  init(
    costs: SimulationConfiguration.Decoding, processor: ModelledProcessor, observers: RunObservers
  ) {
    self.costs = costs
    self.processor = processor
    self.observers = observers
  }

  func decode(_ bytes: [UInt8], options: ImageOptions) async throws(LoadError) -> Picture {
    // As a real decoder does, before its first row.
    if Task.isCancelled { throw .cancelled }
    let file = try file(bytes)
    let picture = try picture(of: file, bytes, options)
    try await processor.work(
      for: costs.time(of: file.size, isPNG: file.isPNG), on: picture.identity, observers)
    return picture
  }

  /// The pixels that are shown: rows of a file are averaged as they come.
  func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    // From its beginning: what is decoded ahead asks before the rest is there.
    let size = costs.mode == .model ? try ModelledFile.head(of: bytes).file.size : try file(bytes).size
    return shownBytes(of: size, options)
  }

  func cost(of value: Picture) -> Int { value.pixelBytes }

  func incremental(options: ImageOptions) -> (any IncrementalDecoding<Picture>)? {
    costs.mode == .model ? ModelledPreviews { shownBytes(of: $0, options) } : nil
  }

  private struct File {
    let size: PixelSize
    let isPNG: Bool
    /// Nil for a real one, whose pixels tell it.
    let identity: PictureIdentity?
  }

  /// What a file says about itself.
  private func file(_ bytes: [UInt8]) throws(LoadError) -> File {
    switch costs.mode {
    case .model:
      let file = try ModelledFile(reading: bytes)
      return File(size: file.size, isPNG: file.isPNG, identity: .row(file.picture, version: file.version))
    case .real:
      let header = try decoder.header(of: bytes)
      return File(size: header.size, isPNG: header.format == .png, identity: nil)
    }
  }

  private func picture(
    of file: File, _ bytes: [UInt8], _ options: ImageOptions
  ) throws(LoadError) -> Picture {
    if let identity = file.identity {
      return Picture(identity: identity, pixelBytes: shownBytes(of: file.size, options))
    }
    let image = try decoder.decode(bytes, options: options)
    return Picture(identity: PictureIdentity(readingRowFrom: image), pixelBytes: decoder.cost(of: image))
  }

  private func shownBytes(of size: PixelSize, _ options: ImageOptions) -> Int {
    let shown = options.targetSize.map { size.fitted(into: $0) } ?? size
    return 4 * shown.width * shown.height
  }
}
