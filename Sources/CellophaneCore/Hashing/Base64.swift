#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The base64 encodings of RFC 4648.
package enum Base64 {
  /// Returns the bytes of `text`; nil if it is not base64.
  ///
  /// Both alphabets are accepted. Padding may be absent.
  package static func bytes(of text: [UInt8]) -> [UInt8]? {
    var digits = text.map { digit in
      switch digit {
      // The alphabet for URLs (section 5).
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: digit
      }
    }
    if digits.count % 4 == 0 {
      for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    guard digits.count % 4 != 1, !digits.contains(UInt8(ascii: "=")) else { return nil }
    digits += Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    return Data(base64Encoded: Data(digits)).map(Array.init)
  }

  /// Returns the text of `bytes`, with padding.
  package static func text(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
