// Pixels in rows of bytes, four bytes at once. Byte by byte, turning a picture takes four times as long, because
// every byte's bounds are checked. What is unsafe about these calls is only that any bits become a value, which
// is right for whole numbers; the bounds of all four bytes are checked by the calls themselves.

extension Span<UInt8> {
  /// The pixel whose first byte is at `offset`.
  @inline(__always)
  func pixel(at offset: Int) -> SIMD4<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
  }
}

extension Span<UInt16> {
  /// The four numbers of `pixel`, and the four of the next.
  @inline(__always)
  func pair(from pixel: Int) -> SIMD8<UInt16> {
    let stride = MemoryLayout<SIMD4<UInt16>>.stride
    return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: pixel &* stride, as: SIMD8<UInt16>.self)
  }
}

extension MutableSpan<UInt8> {
  /// Puts `pixel` at `offset` and the three bytes after it.
  @inline(__always)
  mutating func store(_ pixel: SIMD4<UInt8>, at offset: Int) {
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: pixel, toByteOffset: offset, as: SIMD4<UInt8>.self)
  }
}
