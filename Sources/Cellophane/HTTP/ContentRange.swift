/// What part of a body a 206 has: `bytes 100-199/200` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
  /// The first byte, from 0.
  let first: Int
  /// The last byte.
  let last: Int
  /// The length of the whole body; nil when the origin does not know it.
  let total: Int?

  /// The range that `text` says; nil when it says none, or one that cannot be.
  init?(_ text: String) {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 2, String(decoding: words[0], as: UTF8.self).lowercased() == "bytes" else {
      return nil
    }
    let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1])
    else { return nil }
    let isUnknown = parts[1].elementsEqual("*".utf8)
    let total = Self.number(parts[1])
    guard first <= last, isUnknown || total.map({ $0 > last }) ?? false else { return nil }
    (self.first, self.last, self.total) = (first, last, total)
  }

  /// A number that fits; nil for anything else.
  static func number(_ digits: some Collection<UInt8>) -> Int? {
    Int(digits: digits).flatMap { $0 < .max ? $0 : nil }
  }
}
