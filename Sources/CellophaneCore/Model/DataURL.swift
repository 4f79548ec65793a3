/// `data:` URLs (RFC 2397), as browsers read them (WHATWG Fetch, "data: URL processor").
enum DataURL {
  /// The maximum length. 16 MiB: the bytes are in memory already, and a longer text is an error rather than an image.
  private static let longest = 16 << 20

  /// Returns whether `url` has the scheme `data`.
  static func matches(_ url: String) -> Bool {
    url.utf8.prefix(5).elementsEqual("data:".utf8) { $0 | 0x20 == $1 || $0 == $1 }
  }

  /// Returns the media type and the bytes of `url`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` for a URL without a comma, or with damaged base64.
  static func parse(_ url: String) throws(LoadError) -> (type: String, bytes: [UInt8]) {
    guard url.utf8.count <= longest else {
      throw LoadError(.invalidRequest, "the data: URL is longer than \(longest) bytes")
    }
    let text = url.utf8.dropFirst(5).prefix { $0 != UInt8(ascii: "#") }
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else {
      throw LoadError(
        .invalidRequest, "the data: URL has no comma; write data:image/png;base64,… with the bytes after it")
    }
    var type = String(decoding: text[..<comma], as: UTF8.self)[...]
    var bytes = percentDecoded(text[text.index(after: comma)...])
    trimSpaces(of: &type)
    var rest = type.dropLast(6)
    trimSpaces(of: &rest)
    if type.suffix(6).lowercased() == "base64", rest.last == ";" {
      guard let decoded = Base64.bytes(of: bytes.filter { ![0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) })
      else {
        throw LoadError(.invalidRequest, "the base64 of the data: URL is damaged; encode the bytes again")
      }
      (type, bytes) = (rest.dropLast(), decoded)
    }
    return (type.isEmpty ? "text/plain;charset=US-ASCII" : String(type), bytes)
  }

  private static func trimSpaces(of text: inout Substring) {
    while text.last?.isWhitespace == true { text.removeLast() }
    while text.first?.isWhitespace == true { text.removeFirst() }
  }

  /// Returns the URL in the key of a request: the media type and a hash, so that the key is short.
  ///
  /// XXH3 alone can be made to collide. The hash of the standard library, which has a secret of the process, prevents that.
  static func name(of bytes: [UInt8], _ type: String) -> String {
    var hasher = Hasher()
    hasher.combine(bytes)
    let secret = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    return "data:\(type.prefix(100));\(bytes.count);\(XXH3.hexadecimal(bytes))\(secret)"
  }

  private static func percentDecoded(_ text: Substring.UTF8View) -> [UInt8] {
    if !text.contains(UInt8(ascii: "%")) { return Array(text) }
    return Array(text.percentDecoded)
  }
}
