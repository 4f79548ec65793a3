package import Cellophane

/// A file in a tar archive of the ustar format (POSIX.1-2001, pax, "ustar Interchange Format"), which
/// WebDataset reads.
///
/// All files have the same owner, mode and time, so that the same files give the same archive.
package struct TarEntry {
  /// The block size of an archive, in bytes. Files are padded to multiples of it.
  package static let block = 512

  /// The number of zero bytes at the end of an archive.
  package static let end = 2 * block

  // The size has eleven octal digits.
  private static let largest = 8 << 30

  /// The block before the bytes of the file.
  package let header: [UInt8]
  /// The number of zero bytes after the file.
  package let padding: Int

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an empty name or one of more than 100 bytes, and from 8
  ///   GiB on.
  package init(name: String, bytes count: Int) throws(LoadError) {
    guard !name.isEmpty, name.utf8.count <= 100, count < Self.largest else {
      throw LoadError(
        .invalidRequest,
        "'\(name)' (\(count) bytes) exceeds the limits of tar: names of 100 bytes, files below 8 GiB")
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
    // The checksum counts its own field as spaces.
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
