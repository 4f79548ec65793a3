internal import Foundation
internal import Testing

@testable internal import CellophaneReport

@Suite struct PageScriptTests {
  @Test func `the policy of a page permits its script and no other`() {
    let hash = Data(SHA256.digest(of: Array(Page.script.text.utf8))).base64EncodedString()
    #expect(Page.scriptHash == "sha256-" + hash)
    let page = Page(title: "", body: "", data: nil).text
    #expect(page.contains("<script>" + Page.script.text + "</script>"))
    #expect(page.contains("; script-src '\(Page.scriptHash)'\">"))
  }

  @Test func `the script requests nothing and inserts no markup`() {
    let words = [
      "fetch(", "XMLHttpRequest", "import(", "import ", "eval", "Function", "innerHTML", "outerHTML",
      "insertAdjacent",
      "document.write", "location", "cookie", "localStorage", "src", "href", "http://", "https://",
      "</script", "<!--",
    ]
    for word in words { #expect(!Page.script.text.contains(word), "\(word)") }
  }

  /// FIPS 180-4 has these digests.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `digests equal the published ones`(text: String, digest: String) {
    let bytes = SHA256.digest(of: Array(text.utf8))
    #expect(bytes.map { (($0 < 16) ? "0" : "") + String($0, radix: 16) }.joined() == digest)
  }
}

/// SHA-256 (FIPS 180-4), for the hash of the script. The package has no other use for it.
private enum SHA256 {
  static func digest(of message: [UInt8]) -> [UInt8] {
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
