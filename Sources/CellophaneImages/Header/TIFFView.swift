/// A bounds-checked view of a TIFF structure, the content of an EXIF segment (TIFF 6.0, section 2).
struct TIFFView {
  let bytes: ByteView
  let isBigEndian: Bool
  /// The offset of the first directory.
  let firstDirectory: Int?

  init?(_ bytes: ByteView) {
    switch bytes.number16(at: 0) {
    case 0x4D4D: isBigEndian = true
    case 0x4949: isBigEndian = false
    default: return nil
    }
    guard bytes.number16(at: 2, bigEndian: isBigEndian) == 42 else { return nil }
    self.bytes = bytes
    firstDirectory = bytes.number32(at: 4, bigEndian: isBigEndian)
  }

  /// Returns the value of a tag of type SHORT, 16 bits; nil if the directory has none.
  func short(_ tag: Int, in directory: Int) -> Int? {
    entry(tag, type: 3, counts: 1...1, in: directory)
      .flatMap { bytes.number16(at: $0 + 8, bigEndian: isBigEndian) }
  }

  /// Returns a copy of the structure in which the SHORT `tag` of the first directory has `value`.
  ///
  /// The copy is unchanged if the directory has no such tag.
  func setting(_ tag: Int, to value: UInt16) -> [UInt8] {
    var copy = bytes.copy
    guard let directory = firstDirectory, let entry = entry(tag, type: 3, counts: 1...1, in: directory),
      bytes.number16(at: entry + 8) != nil
    else { return copy }
    let (high, low) = (UInt8(value >> 8), UInt8(value & 0xFF))
    (copy[entry + 8], copy[entry + 9]) = isBigEndian ? (high, low) : (low, high)
    return copy
  }

  /// Returns the value of a tag of type LONG, 32 bits, usually the offset of another directory.
  func offset(_ tag: Int, in directory: Int) -> Int? {
    entry(tag, type: 4, counts: 1...1, in: directory)
      .flatMap { bytes.number32(at: $0 + 8, bigEndian: isBigEndian) }
  }

  /// Returns true if the ASCII value of `tag` begins with `text`. The value has at most four bytes with its
  /// NUL.
  func holds(_ text: some Collection<UInt8>, _ tag: Int, in directory: Int) -> Bool {
    entry(tag, type: 2, counts: 1...4, in: directory).map { bytes.holds(text, at: $0 + 8) } ?? false
  }

  /// Returns the offset of the first entry `tag` with this type and number of values.
  ///
  /// Entries of the same tag with another type or number of values are skipped, as in browsers.
  private func entry(_ tag: Int, type: Int, counts: ClosedRange<Int>, in directory: Int) -> Int? {
    guard let entries = bytes.number16(at: directory, bigEndian: isBigEndian) else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + index * 12
      guard let entryTag = bytes.number16(at: entry, bigEndian: isBigEndian) else { return nil }
      if entryTag == tag, bytes.number16(at: entry + 2, bigEndian: isBigEndian) == type,
        let count = bytes.number32(at: entry + 4, bigEndian: isBigEndian), counts.contains(count)
      {
        return entry
      }
    }
    return nil
  }
}
