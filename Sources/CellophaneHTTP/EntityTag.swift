/// An entity tag, which identifies one version of a resource (RFC 9110, section 8.8.3).
package struct EntityTag: Hashable, Sendable {
  /// The field value as received.
  package let text: String
  /// The opaque tag with its quotes, without `W/`. A weak comparison compares these.
  package let opaque: Substring
  /// True for a strong tag, which identifies the exact bytes (RFC 9110, section 8.8.1).
  package var isStrong: Bool { text.utf8.first == UInt8(ascii: "\"") }

  /// Parses an entity tag; nil if `text` is not one.
  ///
  /// A malformed value must not be sent back: `*` would match every version, and a list any of several. A
  /// blank within the quotes violates the grammar but is accepted, because servers send such tags and they
  /// match only themselves.
  package init?(_ text: String) {
    let quoted = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    let inner = quoted.utf8.dropFirst().dropLast()
    guard quoted.utf8.count >= 2, quoted.utf8.first == UInt8(ascii: "\""),
      quoted.utf8.last == UInt8(ascii: "\""),
      inner.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F })
    else { return nil }
    self.text = text
    opaque = quoted
  }
}
