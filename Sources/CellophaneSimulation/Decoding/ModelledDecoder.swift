internal import Cellophane

/// Decodes modelled pictures: takes the time of a decoder and makes no pixels.
struct ModelledDecoder: ResourceDecoder {
  /// A picture without pixels.
  struct Picture: Sendable, Hashable {
    /// Which one it is.
    let number: Int
    /// What its pixels would occupy, in bytes.
    let pixelBytes: Int
  }

  let costs: SimulationConfiguration.Decoding
  let processor: ModelledProcessor
  let observers: RunObservers

  func decode(_ bytes: [UInt8], options: ImageOptions) async throws(LoadError) -> Picture {
    let file = try ModelledFile(reading: bytes)
    try await processor.work(for: costs.time(of: file), on: .row(file.picture), observers)
    return Picture(number: file.picture, pixelBytes: shownBytes(of: file, options))
  }

  /// The pixels that are shown: rows of a file are averaged as they come.
  func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    shownBytes(of: try ModelledFile(reading: bytes), options)
  }

  func cost(of value: Picture) -> Int { value.pixelBytes }

  private func shownBytes(of file: ModelledFile, _ options: ImageOptions) -> Int {
    let shown = options.targetSize.map { file.size.fitted(into: $0) } ?? file.size
    return 4 * shown.width * shown.height
  }
}

extension SimulationConfiguration.Decoding {
  /// The time for one file.
  func time(of file: ModelledFile) -> Duration {
    let megapixels = Double(file.size.width * file.size.height) / 1_000_000
    return .roundedSeconds(megapixels * (file.isPNG ? png : jpeg) / 1_000)
  }
}

extension PixelSize {
  /// The size at which a picture of this size is shown whole within `frame`, as the decoder fits it: never
  /// enlarged.
  func fitted(into frame: PixelSize) -> PixelSize {
    let scale = min(
      1, Double(frame.width) / Double(width), Double(frame.height) / Double(height))
    return PixelSize(width: Int(scale * Double(width)), height: Int(scale * Double(height)))
  }
}
