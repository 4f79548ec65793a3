internal import Foundation

/// SHA-256 (FIPS 180-4), for hashes of the script of pages and of published files. The package has no other use for it.
package enum SHA256 {
  /// Returns the digest of `message` as hexadecimal digits.
  package static func hex(of message: [UInt8]) -> String {
    digest(of: message).map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the 32 bytes of the digest of `message`.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    let length = UInt64(message.count) * 8
    var padded = message + [0x80]
    padded += Array(repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
    var hash = primes.prefix(8).map { fraction(of: Double($0).squareRoot()) }
    let constants = primes.map { fraction(of: cbrt(Double($0))) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { index in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(padded[start + 4 * index + $1]) }
      }
      for index in 16..<64 {
        let (one, other) = (words[index - 15], words[index - 2])
        words.append(
          words[index - 16] &+ (turned(one, 7) ^ turned(one, 18) ^ one >> 3) &+ words[index - 7]
            &+ (turned(other, 17) ^ turned(other, 19) ^ other >> 10))
      }
      var state = hash
      for index in 0..<64 {
        let (a, e) = (state[0], state[4])
        let choice = (e & state[5]) ^ (~e & state[6])
        let first =
          state[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index]
          &+ words[index]
        let majority = (a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2])
        let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
        state = [first &+ second] + state.dropLast()
        state[4] = state[4] &+ first
      }
      hash = zip(hash, state).map { $0 &+ $1 }
    }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
  }

  private static let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  /// Returns the first 32 bits of the fractional part of `number`.
  private static func fraction(of number: Double) -> UInt32 {
    UInt32((number - number.rounded(.down)) * 4_294_967_296)
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }
}
