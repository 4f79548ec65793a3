extension ThumbHash {
  /// Creates a placeholder from base64, the form in which servers send it.
  ///
  /// Both alphabets of RFC 4648 are accepted, with or without padding, because placeholders are also parts of URLs.
  /// The initializer throws instead of returning nil: the text comes from a server, and the error says which part of
  /// it is wrong. `try?` ignores the reason.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if the text is not base64 or its bytes are not a ThumbHash.
  public init(base64 text: String) throws(LoadError) {
    guard let bytes = Base64.bytes(of: Array(text.utf8)) else {
      throw LoadError(
        .corrupt, "the text is not base64; check that the server sends the ThumbHash without other text")
    }
    try self.init(bytes)
  }

  /// The bytes as base64 with padding (RFC 4648, section 4).
  public var base64: String { Base64.text(of: bytes) }
}
