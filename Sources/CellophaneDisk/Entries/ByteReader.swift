/// A reader of untrusted bytes. A value that exceeds the remaining bytes is nil.
struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.init(Array(bytes), 0..<bytes.count)
  }

  /// Creates a reader of `range`, which must be within `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// True if all bytes were read.
  var isAtEnd: Bool { position == end }

  /// Reads `count` bytes.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= end - position else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// Reads a little-endian integer.
  mutating func integer<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type) -> T? {
    let count = T.bitWidth / 8
    guard count <= end - position else { return nil }
    var value: T = 0
    for index in 0..<count { value |= T(truncatingIfNeeded: bytes[position + index]) << T(8 * index) }
    position += count
    return value
  }

  /// Reads a 32-bit count and that number of bytes.
  mutating func counted() -> ArraySlice<UInt8>? {
    integer(UInt32.self).flatMap { take(Int($0)) }
  }

  /// Reads a 32-bit count and a text of that length; nil if it is not UTF-8.
  mutating func text() -> String? {
    counted().flatMap { String(validating: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Appends a little-endian integer.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    var value = value
    for _ in 0..<value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value))
      value >>= 8
    }
  }

  /// Appends the 32-bit count of `bytes` and the bytes.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}
