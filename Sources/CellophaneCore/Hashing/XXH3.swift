internal import CXXHash

/// The XXH3 hashes of the system's libxxhash. They are fast but not secure against deliberate collisions. As
/// a checksum they detect damage; as a file name a collision costs a cache miss.
package enum XXH3 {
  /// Returns a 64-bit hash of `bytes`.
  package static func checksum(_ bytes: Span<UInt8>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_64($0.baseAddress, $0.count) }
  }

  /// Returns eight hexadecimal digits that distinguish `text` from other texts but are too few to reveal it.
  package static func shortDigits(of text: String) -> String {
    let digits = String(checksum(Array(text.utf8).span) >> 32, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns a 64-bit hash of the pieces that `next` returns until it returns an empty one; nil if no memory
  /// is available.
  package static func checksum<Failure: Error>(
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

  /// Returns a 128-bit hash of `bytes`, the high half first.
  package static func digest(_ bytes: Span<UInt8>) -> (high: UInt64, low: UInt64) {
    let hash = unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_128($0.baseAddress, $0.count) }
    return (hash.high64, hash.low64)
  }

  /// Returns the 32 hexadecimal digits of a 128-bit hash of `bytes`.
  package static func hexadecimal(_ bytes: [UInt8]) -> String { String(hexadecimal: digest(bytes.span)) }

  /// Returns a 64-bit hash of `bytes` that also depends on `seed`.
  package static func checksum(_ bytes: Span<UInt8>, seed: UInt64) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe cellophane_xxh3_64_seeded($0.baseAddress, $0.count, seed) }
  }
}

extension String {
  /// Creates the 32 hexadecimal digits of a 128-bit hash, followed by `suffix`. Each load creates several such
  /// names, so the bytes are written directly into the string.
  package init(hexadecimal digest: (high: UInt64, low: UInt64), suffix: String = "") {
    unsafe self.init(unsafeUninitializedCapacity: 32 + suffix.utf8.count) { text in
      for index in 0..<16 {
        let shift = UInt64(60 - 4 * index)
        unsafe text[index] = Self.hexadecimalDigit(digest.high &>> shift)
        unsafe text[index + 16] = Self.hexadecimalDigit(digest.low &>> shift)
      }
      return unsafe text[32...].initialize(fromContentsOf: suffix.utf8)
    }
  }

  /// Returns the digit for the lowest four bits of `bits`.
  private static func hexadecimalDigit(_ bits: UInt64) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: bits & 0xF)
    return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
  }
}
