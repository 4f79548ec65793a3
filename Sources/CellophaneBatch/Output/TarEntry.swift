package import Cellophane

/// A file in a tar archive of the ustar format (POSIX.1-2001, pax, "ustar Interchange Format"), which
/// WebDataset reads. A name that is long or not ASCII is in an extended header (POSIX.1-2001, pax, "pax Extended
/// Header").
///
/// All files have the same owner, mode and time, so that the same files give the same archive.
package struct TarEntry {
  /// The block size of an archive, in bytes. Files are padded to multiples of it.
  package static let block = 512

  /// The number of zero bytes at the end of an archive.
  package static let end = 2 * block

  // The size has eleven octal digits.
  private static let largest = 8 << 30

  /// The longest name in a ustar header, in bytes.
  private static let longestName = 100

  /// The blocks before the bytes of the file.
  package let header: [UInt8]
  /// The number of zero bytes after the file.
  package let padding: Int

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an empty name, and from 8 GiB on.
  package init(name: String, bytes count: Int) throws(LoadError) {
    guard !name.isEmpty, count < Self.largest else {
      throw LoadError(
        .invalidRequest, "'\(name)' (\(count) bytes) exceeds the limits of tar: a name, and files below 8 GiB"
      )
    }
    padding = Self.padding(of: count)
    let plain = Self.block(name: name, count: count, type: "0")
    guard name.utf8.count > Self.longestName || name.utf8.contains(where: { $0 >= 0x80 }) else {
      header = plain
      return
    }
    let record = Self.record("path", name)
    header =
      Self.block(name: "pax", count: record.count, type: "x") + record
      + [UInt8](repeating: 0, count: Self.padding(of: record.count)) + plain
  }

  /// Returns a record of an extended header: its length in decimal digits, the keyword and the value.
  private static func record(_ keyword: String, _ value: String) -> [UInt8] {
    let rest = " \(keyword)=\(value)\n"
    // The length counts its own digits.
    var length = rest.utf8.count
    while length != rest.utf8.count + String(length).utf8.count {
      length = rest.utf8.count + String(length).utf8.count
    }
    return Array("\(length)\(rest)".utf8)
  }

  /// Returns a ustar header. A name that is too long is cut off.
  private static func block(name: String, count: Int, type: String) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: block)
    func put(_ bytes: some Collection<UInt8>, at start: Int) {
      header.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
    put(name.utf8.prefix(longestName), at: 0)
    put(octal(0o644, digits: 7).utf8, at: 100)
    put(octal(0, digits: 7).utf8, at: 108)
    put(octal(0, digits: 7).utf8, at: 116)
    put(octal(count, digits: 11).utf8, at: 124)
    put(octal(0, digits: 11).utf8, at: 136)
    // The checksum counts its own field as spaces.
    put("        ".utf8, at: 148)
    put(type.utf8, at: 156)
    put("ustar\u{0}00".utf8, at: 257)
    let sum = header.reduce(0) { $0 + Int($1) }
    put((octal(sum, digits: 6) + "\u{0} ").utf8, at: 148)
    return header
  }

  private static func padding(of count: Int) -> Int { (block - count % block) % block }

  private static func octal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
