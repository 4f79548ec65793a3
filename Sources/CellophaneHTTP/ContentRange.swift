/// The single byte range of a `Range` field: `bytes=100-199`, `bytes=100-`, or the suffix range `bytes=-100`
/// (RFC 9110, section 14.1.2).
package enum ByteRange: Equatable {
  case from(Int, through: Int?)
  case last(Int)

  /// Parses a `Range` value; nil if it is malformed or has several ranges.
  package init?(_ text: String) {
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

  /// Returns whether `part` can be the response to this range, complete or cut short: it starts where the range
  /// starts and ends within it. For a suffix range, it ends with the body and is not longer than the suffix.
  package func begins(_ part: ContentRange) -> Bool {
    switch self {
    case .from(let first, let last): part.first == first && part.last <= last ?? .max
    case .last(let count):
      part.total.map { part.last == $0 - 1 } ?? true && part.last - part.first < count
    }
  }
}

extension ByteRange {
  /// Returns the part of a body of `count` bytes that this range selects; nil if it selects no byte.
  package func part(of count: Int) -> ContentRange? {
    switch self {
    case .from(let first, let last):
      ContentRange(first: first, last: min(last ?? .max, count - 1), total: count)
    case .last(let length): ContentRange(first: max(0, count - length), last: count - 1, total: count)
    }
  }
}

/// The part of a body that a 206 response carries: `bytes 100-199/200` (RFC 9110, section 14.4).
package struct ContentRange: Equatable {
  /// The offset of the first byte.
  package let first: Int
  /// The offset of the last byte, which is included.
  package let last: Int
  /// The length of the complete body; nil if the origin does not know it.
  package let total: Int?

  /// Parses a `Content-Range` value; nil if it is malformed or inconsistent.
  package init?(_ text: String) {
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

  /// Creates the part from `first` through `last`; nil if it has no byte.
  fileprivate init?(first: Int, last: Int, total: Int) {
    guard first <= last else { return nil }
    (self.first, self.last, self.total) = (first, last, total)
  }

  /// The value of `Content-Range`.
  package var text: String { "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")" }

  /// Returns whether `text` declares a body of `count` bytes to be complete: its numbers are 0, the last offset and
  /// `count`.
  ///
  /// Origins that send a 206 to a request without a range write `bytes=0-9/10` or `bytes: 0-9/10`, too, or the length
  /// for the last offset. The total says what matters here.
  package static func isComplete(_ text: String, of count: Int) -> Bool {
    let numbers = text.utf8.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map(number)
    return numbers == [0, count - 1, count] || numbers == [0, count, count]
  }

  /// Returns the number that `digits` spell; nil if it is malformed or does not fit into an `Int`.
  @inlinable package static func number(_ digits: some Collection<UInt8>) -> Int? {
    Int(digits: digits).flatMap { $0 < .max ? $0 : nil }
  }
}
