internal import CXXHash

/// The XXH3 hashes of the system's libxxhash: fast, and not meant to withstand somebody who seeks
/// collisions. As a checksum it finds damage; as a file name a collision costs a miss.
package enum XXH3 {
  /// 64 bits over `bytes`.
  package static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_64($0.baseAddress, $0.count) }
  }

  /// Eight hexadecimal digits that tell `text` from another: too few to find out which it is.
  static func shortDigits(of text: String) -> String {
    let digits = String(checksum(Array(text.utf8).span) >> 32, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// 64 bits over bytes that come in pieces, until `next` has none any more; nil when there is no memory.
  static func checksum<Failure: Error>(
    ofPieces next: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> UInt64? {
    guard let state = unsafe cellophane_xxh3_begin() else { return nil }
    do throws(Failure) {
      while case let piece = try next(), !piece.isEmpty {
        unsafe piece.withUnsafeBytes { unsafe cellophane_xxh3_add(state, $0.baseAddress, $0.count) }
      }
    } catch {
      _ = unsafe cellophane_xxh3_end(state)
      throw error
    }
    return unsafe cellophane_xxh3_end(state)
  }

  /// 128 bits over `bytes`, the high half first.
  package static func digest(_ bytes: Span<UInt8>) -> (high: UInt64, low: UInt64) {
    let hash = unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_128($0.baseAddress, $0.count) }
    return (hash.high64, hash.low64)
  }

  /// The 32 hexadecimal digits of 128 bits over `bytes`.
  package static func hexadecimal(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    digits.append(hexadecimal: digest(bytes.span))
    return String(decoding: digits, as: UTF8.self)
  }

  /// 64 bits over `bytes` that depend on `seed`, too.
  package static func checksum(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_64_seeded($0.baseAddress, $0.count, seed) }
  }
}

extension [UInt8] {
  /// Adds the 32 hexadecimal digits of a 128-bit hash.
  package mutating func append(hexadecimal digest: (high: UInt64, low: UInt64)) {
    for half in [digest.high, digest.low] {
      for shift in stride(from: 60, through: 0, by: -4) {
        let digit = UInt8(truncatingIfNeeded: half >> shift & 0xF)
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }
}
