/// Text files that may be lists of URLs, for advice about a file of the wrong kind.
enum URLText {
  /// The number of bytes to examine. 4 KB: the first lines of any list.
  static let examined = 4_096

  /// Returns true if the file that begins with `start` is text with a URL.
  static func begins(with start: some Collection<UInt8>) -> Bool {
    let text = start.prefix(examined)
    return !text.contains(0) && String(decoding: text, as: UTF8.self).contains("://")
  }
}
