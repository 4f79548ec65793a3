/// Gzip streams made by hand, so that a test needs no compressor.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// `bytes`, at most 65 535 of them, in one stored block.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    header + [1] + little(UInt32(bytes.count) | ~UInt32(bytes.count) << 16) + bytes
      + little(checksum(bytes)) + little(UInt32(bytes.count))
  }

  /// A stream of `bytes` / 1270 bytes that grows to about `bytes` zeros, without its end.
  static func bomb(_ bytes: Int) -> [UInt8] {
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
    put(0b011, 3)  // last block, fixed codes
    put(0b0000_1100, 8)  // the literal 0
    // Length 258 (code 285), then distance 1 (code 0), 258 zeros in 13 bits; codes go high bit first.
    for _ in 0..<bytes / 258 { put(0b1010_0011, 8); put(0, 5) }
    return output
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
