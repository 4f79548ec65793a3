package import Cellophane

/// One of n parts of a list, the same on every machine. The URL of a record decides, not its position: equal
/// URLs are always in the same part, which finds them as duplicates, and a sorted or extended list has the
/// same parts.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// The property of a record that selects its part.
  package enum Key: String, CaseIterable, Sendable {
    /// The URL. The parts have about equal sizes.
    case url
    /// The scheme, host and port. One part has all records of a host and observes its limits; the sizes of
    /// the parts differ as the sizes of the hosts do.
    case host
  }

  /// The number of the part, from 0.
  package let number: Int
  package let count: Int
  package var key: Key

  /// The maximum number of parts. A million: more than the machines of any cluster.
  package static let mostParts = 1_000_000

  /// Creates a part from `i/n`, where i counts from 0 or from 1, so that n is the same as 0. Returns nil for
  /// invalid text.
  package init?(parsing text: String, key: Key = .url) {
    let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int(ascii: $0.utf8) }
    guard sides.count == 2, let number = sides[0], let count = sides[1], (1...Self.mostParts).contains(count),
      number <= count
    else { return nil }
    (self.number, self.count, self.key) = (number % count, count, key)
  }

  package var description: String { "\(number)/\(count)" }

  /// Returns whether a request belongs to this part.
  package func holds(_ request: Request<some Hashable & Sendable>) -> Bool {
    switch key {
    case .url: holds(request.url)
    case .host: holds(request.key.response.origin.description)
    }
  }

  /// Returns whether a text that is not a valid URL belongs to this part.
  package func holds(_ text: String) -> Bool {
    var text = text
    let hash = text.withUTF8 { unsafe XXH3.checksum($0.span) }
    // The high half of the product. A remainder would depend on the low bits only.
    return Int(hash.multipliedFullWidth(by: UInt64(count)).high) == number
  }
}

extension Int {
  /// Creates a number from text of decimal digits only, or returns nil for other text and for overflow.
  fileprivate init?(ascii text: some Collection<UInt8>) {
    guard !text.isEmpty, text.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    self.init(String(decoding: text, as: UTF8.self))
  }
}
