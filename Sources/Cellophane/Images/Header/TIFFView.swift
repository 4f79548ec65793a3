/// A TIFF structure, the content of an EXIF block, read without trust (TIFF 6.0, section 2).
struct TIFFView {
  private let bytes: ByteView
  private let isBigEndian: Bool
  /// Where the first directory begins.
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

  /// A number of 16 bits.
  func short(_ tag: Int, in directory: Int) -> Int? {
    entry(tag, type: 3, counts: 1...1, in: directory)
      .flatMap { bytes.number16(at: $0 + 8, bigEndian: isBigEndian) }
  }

  /// The whole structure, in whose first directory the number of 16 bits `tag` is `value` if there is one.
  func setting(_ tag: Int, to value: UInt16) -> [UInt8] {
    var copy = bytes.copy
    guard let directory = firstDirectory, let place = entry(tag, type: 3, counts: 1...1, in: directory),
      bytes.number16(at: place + 8) != nil
    else { return copy }
    let (high, low) = (UInt8(value >> 8), UInt8(value & 0xFF))
    (copy[place + 8], copy[place + 9]) = isBigEndian ? (high, low) : (low, high)
    return copy
  }

  /// A number of 32 bits, mostly the place of another directory.
  func offset(_ tag: Int, in directory: Int) -> Int? {
    entry(tag, type: 4, counts: 1...1, in: directory)
      .flatMap { bytes.number32(at: $0 + 8, bigEndian: isBigEndian) }
  }

  /// True when a text of up to four bytes, its end included, begins with `text`.
  func holds(_ text: some Collection<UInt8>, _ tag: Int, in directory: Int) -> Bool {
    entry(tag, type: 2, counts: 1...4, in: directory).map { bytes.holds(text, at: $0 + 8) } ?? false
  }

  /// Where the first entry `tag` is that has this type and as many values; others are passed over, as browsers do.
  private func entry(_ tag: Int, type: Int, counts: ClosedRange<Int>, in directory: Int) -> Int? {
    guard let entries = bytes.number16(at: directory, bigEndian: isBigEndian) else { return nil }
    for index in 0..<entries {
      let entry = directory + 2 + index * 12
      guard let found = bytes.number16(at: entry, bigEndian: isBigEndian) else { return nil }
      if found == tag, bytes.number16(at: entry + 2, bigEndian: isBigEndian) == type,
        let count = bytes.number32(at: entry + 4, bigEndian: isBigEndian), counts.contains(count)
      {
        return entry
      }
    }
    return nil
  }
}
