/// Percent-encoding as in Signature Version 4: every byte except the unreserved characters of RFC 3986.
enum S3Encoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the encoded text.
  ///
  /// - Parameter keepsSlashes: True for the key of an object, whose slashes separate the parts of the path.
  static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) || keepsSlashes && byte == UInt8(ascii: "/") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the encoded query, in the order of the signature.
  ///
  /// libcurl signs a query as it is (before 8.3) or in its canonical form. Both are the same for this text, because it is
  /// sorted and each item has an equals sign.
  static func query(_ items: [(name: String, value: String)]) -> String {
    items.map { (encoded($0.name), encoded($0.value)) }
      .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
      .map { $0.0 + "=" + $0.1 }.joined(separator: "&")
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
