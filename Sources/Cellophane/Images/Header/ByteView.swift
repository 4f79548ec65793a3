/// A part of some bytes, read as numbers. Nothing is trusted: what lies outside is nil.
struct ByteView {
  private let bytes: [UInt8]
  private let range: Range<Int>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    range = bytes.indices
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  var count: Int { range.count }

  /// The bytes themselves.
  var copy: [UInt8] { Array(bytes[range]) }

  /// `length` bytes from `offset` on; nil when they are not all there.
  func part(from offset: Int, length: Int) -> ByteView? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    let start = range.lowerBound + offset
    return ByteView(bytes: bytes, range: start..<start + length)
  }

  /// The bytes at `places`; nil when they are not all there.
  func part(_ places: Range<Int>) -> ByteView? {
    part(from: places.lowerBound, length: places.count)
  }

  func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < count else { return nil }
    return bytes[range.lowerBound + offset]
  }

  /// Two bytes as a number.
  func number16(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard offset >= 0, offset <= count - 2 else { return nil }
    let first = Int(bytes[range.lowerBound + offset])
    let second = Int(bytes[range.lowerBound + offset + 1])
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  /// Four bytes as a number.
  func number32(at offset: Int, bigEndian: Bool = true) -> Int? {
    guard let first = number16(at: offset, bigEndian: bigEndian),
      let second = number16(at: offset + 2, bigEndian: bigEndian)
    else { return nil }
    return bigEndian ? first << 16 | second : second << 16 | first
  }

  func starts(with prefix: some Collection<UInt8>) -> Bool {
    holds(prefix, at: 0)
  }

  func holds(_ mark: some Collection<UInt8>, at offset: Int) -> Bool {
    guard let there = part(from: offset, length: mark.count) else { return false }
    return bytes[there.range].elementsEqual(mark)
  }

  /// True when there are bytes, and `whole` begins with them and goes on.
  func isCutOff(of whole: some Collection<UInt8>) -> Bool {
    !range.isEmpty && count < whole.count && whole.starts(with: bytes[range])
  }
}
