internal import Cellophane

/// What can be seen of a modelled file while it arrives. The picture itself is left to the decoder, which takes its time
/// for it; nothing here does.
final class ModelledPreviews: IncrementalDecoding {
  /// The shares of a progressive file that end with a scan (assumed, after the default scans of libjpeg).
  static let scans = [0.125, 0.25, 0.5, 0.75]

  private let pixelBytes: (PixelSize) -> Int
  private var head: [UInt8] = []
  private var received = 0
  private var file: (file: ModelledFile, count: Int)?
  /// How many scans, or rows, can be seen.
  private var seen = 0

  /// - Parameter pixelBytes: What the pixels of a file of this size occupy where they are shown.
  init(pixelBytes: @escaping (PixelSize) -> Int) { self.pixelBytes = pixelBytes }

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    received += piece.count
    if file == nil {
      head += piece.prefix(ModelledFile.headerSize - head.count)
      guard head.count == ModelledFile.headerSize else { return false }
      file = try ModelledFile.head(of: head)
    }
    let before = seen
    seen = visible
    return seen > before
  }

  private var visible: Int {
    guard let (file, count) = file, count > 0 else { return 0 }
    let share = Double(received) / Double(count)
    return file.isProgressive
      ? Self.scans.count { $0 <= share } : Int(share * Double(file.size.height))
  }

  func preview() throws(LoadError) -> ModelledDecoder.Picture? {
    guard let file = file?.file, seen > 0 else { return nil }
    return ModelledDecoder.Picture(
      identity: .row(file.picture, version: file.version), pixelBytes: pixelBytes(file.size))
  }

  /// Nothing: the loader then decodes the whole.
  func finish() throws(LoadError) -> ModelledDecoder.Picture {
    throw LoadError(.truncated, "a preview is no picture")
  }
}
