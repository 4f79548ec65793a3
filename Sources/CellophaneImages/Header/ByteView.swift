/// A bounds-checked view of a part of a byte array. Reads outside of the part return nil.
package struct ByteView {
  private let bytes: [UInt8]
  private let range: Range<Int>

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = bytes.indices
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  package var count: Int { range.count }

  /// The CRC-32 of the bytes.
  var crc32: UInt32 { CellophaneImages.crc32(bytes, in: range) }

  /// A copy of the bytes.
  package var copy: [UInt8] { Array(bytes[range]) }

  /// Returns `length` bytes from `offset`, or nil if they exceed the view.
  package func part(from offset: Int, length: Int) -> ByteView? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    let start = range.lowerBound + offset
    return ByteView(bytes: bytes, range: start..<start + length)
  }

  /// Returns the bytes at `offsets`, or nil if they exceed the view.
  package func part(_ offsets: Range<Int>) -> ByteView? {
    part(from: offsets.lowerBound, length: offsets.count)
  }

  package func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < count else { return nil }
    return bytes[range.lowerBound + offset]
  }

  /// Reads an unsigned number of two bytes.
  package func number16(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    let first = Int(bytes[range.lowerBound + offset])
    let second = Int(bytes[range.lowerBound + offset + 1])
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  /// Reads an unsigned number of four bytes.
  package func number32(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = number16(at: offset, bigEndian: bigEndian),
      let second = number16(at: offset + 2, bigEndian: bigEndian)
    else { return nil }
    return bigEndian ? first << 16 | second : second << 16 | first
  }

  package func starts(with prefix: some Collection<UInt8>) -> Bool {
    holds(prefix, at: 0)
  }

  /// Returns true if the bytes at `offset` are equal to `signature`.
  package func holds(_ signature: some Collection<UInt8>, at offset: Int) -> Bool {
    guard let candidate = part(from: offset, length: signature.count) else { return false }
    return bytes[candidate.range].elementsEqual(signature)
  }

  /// Returns true if the view is not empty, is shorter than `sequence`, and `sequence` begins with it.
  func isProperPrefix(of sequence: some Collection<UInt8>) -> Bool {
    !range.isEmpty && count < sequence.count && sequence.starts(with: bytes[range])
  }
}
