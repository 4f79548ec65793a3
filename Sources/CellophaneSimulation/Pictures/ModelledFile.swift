internal import Cellophane

/// The head of a modelled file, and how it is written: what a decoder needs to know, then zeros.
struct ModelledFile: Sendable, Hashable {
  /// The length, the picture's number, the format, both sides, the version and whether it is progressive, 8 bytes each.
  static let headerSize = 7 * 8

  let picture: Int
  let version: Int
  let isPNG: Bool
  let isProgressive: Bool
  let size: PixelSize

  /// The file, of `count` bytes, or of its head alone when that is more.
  func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(count, Self.headerSize))
    let numbers = [
      bytes.count, picture, isPNG ? 1 : 0, size.width, size.height, version, isProgressive ? 1 : 0,
    ]
    for (index, number) in numbers.enumerated() {
      for byte in 0..<8 { bytes[8 * index + byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
    }
    return bytes
  }

  /// Reads what ``bytes(_:)`` writes.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` unless the file is as long as it says.
  init(reading bytes: [UInt8]) throws(LoadError) {
    let (file, count) = try Self.head(of: bytes)
    guard count == bytes.count else { throw Self.truncated(bytes.count) }
    self = file
  }

  /// What the beginning of a file tells, and how long the whole is.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` when it is too short.
  static func head(of bytes: [UInt8]) throws(LoadError) -> (file: ModelledFile, count: Int) {
    guard bytes.count >= headerSize else { throw truncated(bytes.count) }
    func number(_ index: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[8 * index + $1]) << (8 * $1) }
    }
    let file = ModelledFile(
      picture: number(1), version: number(5), isPNG: number(2) == 1, isProgressive: number(6) == 1,
      size: PixelSize(width: number(3), height: number(4)))
    return (file, number(0))
  }

  private static func truncated(_ count: Int) -> LoadError {
    LoadError(.truncated, "a modelled picture of \(count) bytes is not whole")
  }

  init(picture: Int, version: Int = 0, isPNG: Bool, isProgressive: Bool = false, size: PixelSize) {
    self.picture = picture
    self.version = version
    self.isPNG = isPNG
    self.isProgressive = isProgressive
    self.size = size
  }
}
