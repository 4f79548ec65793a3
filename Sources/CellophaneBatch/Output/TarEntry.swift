package import Cellophane

/// A file in a tar archive of the ustar format (POSIX.1-2001, pax, "ustar Interchange Format"), as WebDataset reads it.
///
/// Owner, mode and time are the same for all, so that the same files give the same archive.
package struct TarEntry {
  /// What an archive is a multiple of, and so is each file in it, in bytes.
  package static let block = 512

  /// How many zeros an archive ends with.
  package static let end = 2 * block

  // Eleven octal digits.
  private static let largest = 8 << 30

  /// The block in front of the file's bytes.
  package let header: [UInt8]
  /// How many zeros follow them.
  package let padding: Int

  /// - Throws: ``LoadError/Kind/invalidRequest`` for a name of more than 100 bytes, and more than 8 GiB.
  package init(name: String, bytes count: Int) throws(LoadError) {
    guard !name.isEmpty, name.utf8.count <= 100, count < Self.largest else {
      throw LoadError(.invalidRequest, "'\(name)' of \(count) bytes is too much for a tar archive")
    }
    var header = [UInt8](repeating: 0, count: Self.block)
    func put(_ text: String, at start: Int) {
      header.replaceSubrange(start..<start + text.utf8.count, with: text.utf8)
    }
    put(name, at: 0)
    put(Self.octal(0o644, digits: 7), at: 100)
    put(Self.octal(0, digits: 7), at: 108)
    put(Self.octal(0, digits: 7), at: 116)
    put(Self.octal(count, digits: 11), at: 124)
    put(Self.octal(0, digits: 11), at: 136)
    // The sum counts its own place as blanks.
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar\u{0}00", at: 257)
    let sum = header.reduce(0) { $0 + Int($1) }
    put(Self.octal(sum, digits: 6) + "\u{0} ", at: 148)
    self.header = header
    padding = (Self.block - count % Self.block) % Self.block
  }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
