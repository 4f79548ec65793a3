/// What a request asks for with one range of bytes: `bytes=100-199`, `bytes=100-` or, the last ones, `bytes=-100`
/// (RFC 9110, section 14.1.2).
enum ByteRange: Equatable {
  case from(Int, through: Int?)
  case last(Int)

  /// The range that `text` says; nil when it says none, or several.
  init?(_ text: String) {
    let sides = text.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
    guard sides.count == 2, String(decoding: sides[0], as: UTF8.self).lowercased() == "bytes" else {
      return nil
    }
    let ends = sides[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (ContentRange.number(ends[0]), ContentRange.number(ends[1])) {
    case (let first?, let last?): self = .from(first, through: last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
    case (nil, let count?) where ends[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  /// True when `part` begins where this does, and ends not behind it.
  func begins(_ part: ContentRange) -> Bool {
    switch self {
    case .from(let first, let last): part.first == first && part.last <= last ?? .max
    case .last(let count):
      part.total.map { part.last == $0 - 1 } ?? true && part.last - part.first < count
    }
  }
}

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
