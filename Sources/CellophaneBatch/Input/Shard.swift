package import Cellophane

/// A part of a list, the same on every machine: which of so many a line belongs to is told by what it asks for, not by
/// where it stands. So the same URL is always in the same part, where it is recognised as a duplicate, and a list that
/// was sorted anew or has grown is parted as before.
package struct Shard: Equatable, Sendable, CustomStringConvertible {
  /// By what lines are parted.
  package enum Key: String, CaseIterable, Sendable {
    /// The URL: parts of equal length.
    case url
    /// Its scheme, host and port: one part has all of a host, and keeps to what that bears; parts are as unequal as
    /// hosts are.
    case host
  }

  /// Counted from 0.
  package let number: Int
  package let count: Int
  package var key: Key

  /// The most parts. A million: more than any cluster has machines.
  package static let mostParts = 1_000_000

  /// A part from `i/n`. Some count the parts from 0 and some from 1, so that n is the same as 0; nil for what is none.
  package init?(parsing text: String, key: Key = .url) {
    let sides = text.split(separator: "/", omittingEmptySubsequences: false).map { Int(ascii: $0.utf8) }
    guard sides.count == 2, let number = sides[0], let count = sides[1], (1...Self.mostParts).contains(count),
      number <= count
    else { return nil }
    (self.number, self.count, self.key) = (number % count, count, key)
  }

  package var description: String { "\(number)/\(count)" }

  /// Whether a request is in this part.
  package func holds(_ request: Request<some Hashable & Sendable>) -> Bool {
    switch key {
    case .url: holds(request.url)
    case .host: holds(request.key.response.origin.description)
    }
  }

  /// Whether what asks for nothing is, by the text that it is.
  package func holds(_ text: String) -> Bool {
    var text = text
    let hash = text.withUTF8 { unsafe XXH3.checksum($0.span) }
    // The share of all hashes below it: no remainder, whose low bits alone would count.
    return Int(hash.multipliedFullWidth(by: UInt64(count)).high) == number
  }
}

extension Int {
  /// The number that `text` writes in decimal digits alone; nil when it is not one, or too large.
  fileprivate init?(ascii text: some Collection<UInt8>) {
    guard !text.isEmpty, text.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
    self.init(String(decoding: text, as: UTF8.self))
  }
}
