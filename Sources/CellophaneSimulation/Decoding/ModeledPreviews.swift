internal import Cellophane

/// The previews of a modeled file while it arrives. They take no time. The decoder decodes the complete file
/// in modeled time.
final class ModeledPreviews: IncrementalDecoding {
  /// The shares of a progressive file at which a scan ends (assumed, after the default scans of libjpeg).
  static let scans = [0.125, 0.25, 0.5, 0.75]

  private let pixelBytes: (PixelSize) -> Int
  private var head: [UInt8] = []
  private var received = 0
  private var file: (file: ModeledFile, count: Int)?
  /// The number of visible scans or rows.
  private var visibleCount = 0

  /// Creates the previews of a file.
  ///
  /// - Parameter pixelBytes: Returns the size of the shown pixels of a file with the given size.
  init(pixelBytes: @escaping (PixelSize) -> Int) { self.pixelBytes = pixelBytes }

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    received += piece.count
    if file == nil {
      head += piece.prefix(ModeledFile.headerSize - head.count)
      guard head.count == ModeledFile.headerSize else { return false }
      file = try ModeledFile.head(of: head)
    }
    let before = visibleCount
    visibleCount = arrivedCount
    return visibleCount > before
  }

  private var arrivedCount: Int {
    guard let (file, count) = file, count > 0 else { return 0 }
    let share = Double(received) / Double(count)
    return file.isProgressive
      ? Self.scans.count { $0 <= share } : Int(share * Double(file.size.height))
  }

  func preview() throws(LoadError) -> ModeledDecoder.Picture? {
    guard let file = file?.file, visibleCount > 0 else { return nil }
    return ModeledDecoder.Picture(
      identity: .row(file.picture, version: file.version), pixelBytes: pixelBytes(file.size))
  }

  /// Always fails, so that the loader decodes the complete file.
  func finish() throws(LoadError) -> ModeledDecoder.Picture {
    throw LoadError(.truncated, "a preview is not an image")
  }
}
