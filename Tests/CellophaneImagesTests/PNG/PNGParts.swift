internal import TestSupport

/// Returns a PNG chunk with its checksum.
func pngChunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
  let body = Array(kind.utf8) + content
  var crc = UInt32.max
  for byte in body {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
  return bigEndian(UInt32(content.count)) + body + bigEndian(~crc)
}

/// Returns a zlib stream with `bytes` in stored blocks of at most `block` bytes (RFC 1950 and 1951).
///
/// `first` is the first byte of the stream: the compression method and the window size.
func zlibStored(_ bytes: [UInt8], block: Int = 65_535, first: UInt8 = 0x78) -> [UInt8] {
  var stream = [first, UInt8(31 - Int(first) * 256 % 31)]
  for start in stride(from: 0, to: max(bytes.count, 1), by: block) {
    let part = bytes[start..<min(start + block, bytes.count)]
    let (low, high) = (UInt8(part.count & 0xFF), UInt8(part.count >> 8))
    stream += [start + block >= bytes.count ? 1 : 0, low, high, ~low, ~high] + part
  }
  return stream + adler32(bytes)
}

private func adler32(_ bytes: [UInt8]) -> [UInt8] {
  var (one, other) = (UInt32(1), UInt32(0))
  for byte in bytes {
    one = (one + UInt32(byte)) % 65_521
    other = (other + one) % 65_521
  }
  return bigEndian(other << 16 | one)
}
