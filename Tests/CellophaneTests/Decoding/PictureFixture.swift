internal import Cellophane

/// A small picture file and what it decodes to.
struct PictureFixture: Sendable, CustomStringConvertible {
  let name: String
  let size: PixelSize
  /// FNV-1a (64 bits) of the RGBA bytes.
  let hash: UInt64
  let bytes: [UInt8]

  init(_ name: String, _ width: Int, _ height: Int, _ hash: UInt64, _ base64: String) {
    self.name = name
    self.hash = hash
    size = PixelSize(width: width, height: height)
    bytes = decodedBase64(base64)
  }

  var description: String { name }

  static let all = png + oddPNG + jpeg + turned
}

func fnv1a(_ bytes: [UInt8]) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

private func decodedBase64(_ text: String) -> [UInt8] {
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

/// A PNG chunk with its checksum.
func pngChunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
  let body = Array(kind.utf8) + content
  var crc = UInt32.max
  for byte in body {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
  return bigEndian(UInt32(content.count)) + body + bigEndian(~crc)
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// A picture of noise; `alphas` holds the values that alpha takes.
func noise(_ width: Int, _ height: Int, seed: UInt64, alphas: [UInt8] = [255]) throws -> Image {
  var numbers = Seeded(seed)
  var pixels: [UInt8] = []
  for _ in 0..<width * height {
    let word = numbers.next()
    pixels += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
    pixels += [UInt8(truncatingIfNeeded: word >> 16), alphas[Int(word >> 24 & 0xFFFF) % alphas.count]]
  }
  return try Image(width: width, height: height, pixels: pixels)
}
