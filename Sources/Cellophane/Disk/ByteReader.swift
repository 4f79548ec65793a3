/// Takes values off the front of bytes that nobody vouches for: what does not fit in what is left is nil.
struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// True when everything was taken.
  var isAtEnd: Bool { rest.isEmpty }

  /// The next `count` bytes.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// The next integer, little-endian.
  mutating func integer<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type) -> T? {
    take(T.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | T($1) }
  }

  /// The next bytes with their 32-bit count before them.
  mutating func counted() -> ArraySlice<UInt8>? {
    integer(UInt32.self).flatMap { take(Int($0)) }
  }

  /// The next text with its 32-bit count before it; nil when it is not UTF-8.
  mutating func text() -> String? {
    counted().flatMap { String(validating: $0, as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Adds an integer, little-endian.
  mutating func append(littleEndian value: some FixedWidthInteger) {
    var value = value
    for _ in 0..<value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value))
      value >>= 8
    }
  }

  /// Adds `bytes` with their 32-bit count before them.
  mutating func append(counted bytes: some Collection<UInt8>) {
    append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
    append(contentsOf: bytes)
  }
}
