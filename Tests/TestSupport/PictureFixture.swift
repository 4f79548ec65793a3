package import Cellophane

/// An image of the corpus for tests of other properties than its pixels.
package struct PictureFixture: Sendable, CustomStringConvertible {
  /// The property that the file tests in the corpus.
  package let name: String
  /// The displayed size.
  package let size: PixelSize
  package let bytes: [UInt8]

  private init?(_ file: CorpusFile) {
    guard file.error == nil, let bytes = try? Corpus.bytes(of: file.file) else { return nil }
    name = file.covers
    size = file.uprightSize
    self.bytes = bytes
  }

  package var description: String { name }

  private static func images(in folder: String, _ end: String = "") -> [PictureFixture] {
    Corpus.shared.files.filter { $0.file.hasPrefix(folder + "/") && $0.file.hasSuffix(end) }
      .compactMap(PictureFixture.init)
  }

  /// All color types and depths, with and without tRNS and interlacing.
  package static let png = images(in: "png")
  /// All common color representations of JPEG.
  package static let jpeg = images(in: "jpeg")
  /// The EXIF orientations 1...8 in both formats.
  package static let turned = images(in: "turned", "-little.png") + images(in: "turned", "-little.jpg")
  package static let all = png + jpeg + turned
}

/// Returns the FNV-1a hash of 64 bits. A loop, because closures are too slow without optimization.
package func fnv1a(_ bytes: [UInt8]) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return hash
}

/// Returns the bytes of a base64 text. Ignores other characters.
package func decodedBase64(_ text: String) -> [UInt8] {
  let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  let values = Dictionary(uniqueKeysWithValues: alphabet.utf8.enumerated().map { ($1, UInt32($0)) })
  var bytes: [UInt8] = []
  var (bits, count) = (UInt32(0), 0)
  for value in text.utf8.compactMap({ values[$0] }) {
    bits = bits << 6 | value
    count += 6
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return bytes
}

package func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}
