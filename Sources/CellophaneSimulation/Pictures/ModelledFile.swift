internal import Cellophane

/// The head of a modelled file, and how it is written: what a decoder needs to know, then zeros.
struct ModelledFile: Sendable, Hashable {
  /// The length, the picture's number, the format, both sides and the version, 8 bytes each.
  static let headerSize = 6 * 8

  let picture: Int
  let version: Int
  let isPNG: Bool
  let size: PixelSize

  /// The file, of `count` bytes, or of its head alone when that is more.
  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, Self.headerSize))
    for (index, number) in [bytes.count, picture, isPNG ? 1 : 0, size.width, size.height, version]
      .enumerated()
    {
      for byte in 0..<8 { bytes[8 * index + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    return bytes
  }

  /// Reads what ``bytes(_:)`` writes.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` unless the file is as long as it says.
  init(reading bytes: [UInt8]) throws(LoadError) {
    func number(_ index: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[8 * index + $1]) << (8 * $1) }
    }
    guard bytes.count >= Self.headerSize, number(0) == bytes.count else {
      throw LoadError(.truncated, "a modelled picture of \(bytes.count) bytes is not whole")
    }
    picture = number(1)
    isPNG = number(2) == 1
    size = PixelSize(width: number(3), height: number(4))
    version = number(5)
  }

  init(picture: Int, version: Int = 0, isPNG: Bool, size: PixelSize) {
    self.picture = picture
    self.version = version
    self.isPNG = isPNG
    self.size = size
  }
}
