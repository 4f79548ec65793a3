#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The words of the command line, whose bytes may be no UTF-8. Swift would replace such bytes, and the tool would ask for
/// another URL or write another file.
enum CommandWords {
  /// Returns the words after the name of the tool.
  ///
  /// - Throws: ``Failure`` for a word that is neither UTF-8 nor a URL.
  static func current() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = unsafe CommandLine.unsafeArgv[index] else { break }
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: word, count: strlen(word)))
      guard let text = text(of: bytes) else {
        // Not the word, which may be a secret.
        throw Failure.usage(
          "argument \(index) is not UTF-8; rename the file or convert the text", seeing: "cellophane --help")
      }
      words.append(text)
    }
    return words
  }

  /// Returns the text of a word. In a URL, bytes are percent-encoded if they are not UTF-8 together. Nil for another word
  /// that is not UTF-8.
  static func text(of word: [UInt8]) -> String? {
    if let text = String(validating: word, as: UTF8.self) { return text }
    let separator = Array("://".utf8)
    let scheme = word.prefix { $0 < 0x80 }
    guard scheme.indices.contains(where: { scheme[$0...].starts(with: separator) }) else { return nil }
    return word.reduce(into: "") { text, byte in
      if byte < 0x80 {
        text.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        text += "%" + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
