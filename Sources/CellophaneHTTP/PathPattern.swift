/// A pattern of paths with `*` for any octets, and `$` for the end at its own end (RFC 9309, section 2.2.3).
///
/// Paths and patterns are compared in one form of percent-encoding: unreserved characters are not encoded, all others are.
package struct PathPattern: Equatable, Sendable {
  /// The normalized octets; only the asterisks of the pattern are not encoded.
  private let octets: [UInt8]
  /// True if a path must end where the pattern ends.
  private let isAnchored: Bool

  /// The number of octets of a path that are compared. Longer paths exceed the limits of many servers, and a file with many
  /// patterns must not take much time for each of them.
  static let longestPath = 2_048

  /// The number of octets. The longest pattern that matches a path is the most specific.
  package var length: Int { octets.count + (isAnchored ? 1 : 0) }

  package init(_ text: some Collection<UInt8>) {
    var text = Array(text)
    isAnchored = text.last == UInt8(ascii: "$")
    if isAnchored { text.removeLast() }
    octets = text.split(separator: Self.asterisk, omittingEmptySubsequences: false)
      .map { Self.normalized($0) }.joined(separator: [Self.asterisk]).map(\.self)
  }

  private static let asterisk = UInt8(ascii: "*")

  /// Returns the path and query of an absolute URL in the form in which ``matches(_:)`` compares them.
  package static func path(of url: String) -> [UInt8] {
    let rest = url.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard let scheme = rest.firstIndex(of: UInt8(ascii: ":")) else { return [UInt8(ascii: "/")] }
    // The authority has two slashes before it.
    let authority = rest[scheme...].dropFirst(3)
    let end =
      authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? authority.endIndex
    let path = authority[end...]
    let slash = path.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return slash + normalized(path.prefix(longestPath)).prefix(longestPath)
  }

  /// Returns true if the pattern matches the beginning of `path`, or all of it if the pattern ends in `$`.
  ///
  /// - Complexity: linear in the lengths of the path and of the pattern.
  package func matches(_ path: [UInt8]) -> Bool {
    var rest = octets[...]
    let first = rest.prefix { $0 != Self.asterisk }
    guard path.starts(with: first) else { return false }
    var start = first.count
    rest = rest.dropFirst(start)
    while rest.popFirst() != nil {
      let segment = rest.prefix { $0 != Self.asterisk }
      rest = rest.dropFirst(segment.count)
      if isAnchored, rest.isEmpty {
        return path.count - start >= segment.count && path.suffix(segment.count).elementsEqual(segment)
      }
      guard let found = Self.first(Array(segment), in: path, from: start) else { return false }
      start = found + segment.count
    }
    return !isAnchored || start == path.count
  }

  /// Returns the first position of `segment` in `path` from `start` on. The algorithm of Knuth, Morris and Pratt is linear for
  /// every input, also for the patterns of a hostile origin.
  private static func first(_ segment: [UInt8], in path: [UInt8], from start: Int) -> Int? {
    if segment.isEmpty { return start }
    // For each octet, the length of the longest proper prefix that ends at it.
    var borders = [0]
    var length = 0
    for octet in segment.dropFirst() {
      while length > 0, segment[length] != octet { length = borders[length - 1] }
      if segment[length] == octet { length += 1 }
      borders.append(length)
    }
    length = 0
    for position in path.indices.dropFirst(start) {
      while length > 0, segment[length] != path[position] { length = borders[length - 1] }
      if segment[length] == path[position] { length += 1 }
      if length == segment.count { return position + 1 - length }
    }
    return nil
  }

  /// Returns `octets` with unreserved characters decoded, and asterisks, dollar signs, controls, spaces and octets outside of
  /// ASCII encoded.
  private static func normalized(_ octets: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(octets.count)
    var rest = octets[...]
    while let octet = rest.popFirst() {
      let digits = rest.prefix(2)
      if octet == UInt8(ascii: "%"), digits.count == 2, let first = digits.first.flatMap(value),
        let second = digits.dropFirst().first.flatMap(value)
      {
        rest = rest.dropFirst(2)
        let decoded = first << 4 | second
        if isUnreserved(decoded) { result.append(decoded) } else { append(encoded: decoded, to: &result) }
      } else if octet <= 0x20 || octet >= 0x7F || octet == UInt8(ascii: "*") || octet == UInt8(ascii: "$") {
        append(encoded: octet, to: &result)
      } else {
        result.append(octet)
      }
    }
    return result
  }

  private static func append(encoded octet: UInt8, to result: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    result += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 0xF)]]
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// RFC 3986, section 2.3.
  private static func isUnreserved(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      octet == UInt8(ascii: "-") || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "_")
        || octet == UInt8(ascii: "~")
    }
  }
}
