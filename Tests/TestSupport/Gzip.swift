/// Gzip and deflate streams built without a compressor.
package enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// Returns `bytes`, at most 65 535, as a gzip stream with one stored block.
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    header + raw(bytes) + little(checksum(bytes)) + little(UInt32(bytes.count))
  }

  /// Returns `bytes` as a deflate stream (RFC 1951).
  package static func raw(_ bytes: [UInt8]) -> [UInt8] {
    [1] + little(UInt32(bytes.count) | ~UInt32(bytes.count) << 16) + bytes
  }

  /// Returns `bytes` as a zlib stream (RFC 1950).
  package static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return [0x78, 0x01] + raw(bytes) + little(b << 16 | a).reversed()
  }

  /// Returns a decompression bomb: a gzip stream without its end that decodes to about `bytes` zeros. It has `bytes`
  /// / 1032 bytes, the highest ratio of deflate.
  package static func bomb(_ bytes: Int) -> [UInt8] {
    var output = header
    var bits: UInt64 = 0
    var count: UInt64 = 0
    func put(_ value: UInt64, _ width: UInt64) {
      bits |= value << count
      count += width
      while count >= 8 {
        output.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }
    put(0b101, 3)  // last block, dynamic codes
    put(29, 5)  // 286 codes for literals and lengths,
    put(0, 5)  // 1 code for distances,
    put(14, 4)  // 18 code lengths in the order of RFC 1951: 18 has one bit, 2 and 1 have two
    for index in 0..<18 { put(index == 2 ? 1 : index == 15 || index == 17 ? 2 : 0, 3) }
    // Two bits each for the literal 0 and the end; one each for the length 258 (code 285) and the distance 1 (code 0).
    put(0b11, 2)
    for zeros in [138, 117] { put(0, 1); put(UInt64(zeros) - 11, 7) }
    put(0b11, 2)
    put(0, 1); put(28 - 11, 7)
    put(0b01, 2); put(0b01, 2)
    put(0b01, 2)  // a literal 0, then 258 zeros for every two bits
    put(0, 8 - count)
    return output + [UInt8](repeating: 0, count: bytes / 258 / 4)
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var state = ~UInt32(0)
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state & 1 == 1 ? (state >> 1) ^ 0xEDB8_8320 : state >> 1 }
    }
    return ~state
  }
}
