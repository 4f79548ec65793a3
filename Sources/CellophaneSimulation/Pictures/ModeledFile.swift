internal import Cellophane

/// The header of a modeled file and its format. The header contains the values that a decoder needs; zeros
/// follow it.
struct ModeledFile: Sendable, Hashable {
  /// The size of the header: length, image number, format, width, height, version and flags, 8 bytes each. The flags are 1
  /// for a progressive file and 2 for an animation.
  static let headerSize = 7 * 8

  let picture: Int
  let version: Int
  let isPNG: Bool
  let isProgressive: Bool
  let isAnimated: Bool
  let size: PixelSize

  /// Returns the file with `count` bytes, or the header alone if `count` is smaller.
  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, Self.headerSize))
    let numbers = [
      bytes.count, picture, isPNG ? 1 : 0, size.width, size.height, version,
      (isProgressive ? 1 : 0) | (isAnimated ? 2 : 0),
    ]
    for (index, number) in numbers.enumerated() {
      for byte in 0..<8 { bytes[8 * index + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    return bytes
  }

  /// Decodes the format of ``bytes(_:)``.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` if the file does not have the length in its header.
  init(reading bytes: [UInt8]) throws(LoadError) {
    let (file, count) = try Self.head(of: bytes)
    guard count == bytes.count else { throw Self.truncated(bytes.count) }
    self = file
  }

  /// Decodes the header at the beginning of a file; returns it with the length of the complete file.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` if there are too few bytes.
  static func head(of bytes: [UInt8]) throws(LoadError) -> (file: ModeledFile, count: Int) {
    guard bytes.count >= headerSize else { throw truncated(bytes.count) }
    func number(_ index: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[8 * index + $1]) << (8 * $1) }
    }
    let file = ModeledFile(
      picture: number(1), version: number(5), isPNG: number(2) == 1, isProgressive: number(6) & 1 == 1,
      isAnimated: number(6) & 2 == 2, size: PixelSize(width: number(3), height: number(4)))
    return (file, number(0))
  }

  private static func truncated(_ count: Int) -> LoadError {
    LoadError(.truncated, "a modeled image of \(count) bytes is truncated")
  }

  init(
    picture: Int, version: Int = 0, isPNG: Bool, isProgressive: Bool = false, isAnimated: Bool = false,
    size: PixelSize
  ) {
    self.picture = picture
    self.version = version
    self.isPNG = isPNG
    self.isProgressive = isProgressive
    self.isAnimated = isAnimated
    self.size = size
  }
}
