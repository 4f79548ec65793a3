// Access to the four bytes of a pixel at once. Rotating an image byte by byte takes four times as long,
// because the bounds of every byte are checked. These calls are marked unsafe only because they convert
// arbitrary bits to a value, which is valid for integers. They check the bounds of all bytes.

extension Span<UInt8> {
  /// Returns the pixel at the byte `offset`.
  @inline(__always)
  func pixel(at offset: Int) -> SIMD4<UInt8> {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self)
  }
}

extension Span<UInt16> {
  /// Returns the four numbers of `pixel` and the four of the next pixel.
  @inline(__always)
  func pair(from pixel: Int) -> SIMD8<UInt16> {
    let stride = MemoryLayout<SIMD4<UInt16>>.stride
    return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: pixel &* stride, as: SIMD8<UInt16>.self)
  }
}

extension MutableSpan<UInt8> {
  /// Stores the four bytes of `pixel` at `offset`.
  @inline(__always)
  mutating func store(_ pixel: SIMD4<UInt8>, at offset: Int) {
    var bytes = unsafe mutableBytes
    bytes.storeBytes(of: pixel, toByteOffset: offset, as: SIMD4<UInt8>.self)
  }
}
