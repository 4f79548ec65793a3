/// A name of one version of a resource (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable {
  /// The field value, as it was.
  let text: String
  /// What stands in quotes, which versions that are as good as each other have in common.
  let opaque: Substring
  /// True when it names bytes, not only a meaning (RFC 9110, section 8.8.1).
  var isStrong: Bool { text.utf8.first == UInt8(ascii: "\"") }

  /// The tag that `text` is; nil when it is none. What is no tag must not be sent back: `*` would match every
  /// version, and a list any of several. A blank within the quotes is against the grammar, but servers send such tags, and
  /// they match themselves alone like any other.
  init?(_ text: String) {
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
