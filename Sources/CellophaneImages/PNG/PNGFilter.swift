/// The filter types of PNG rows (ISO/IEC 15948, section 9).
enum PNGFilter: UInt8 {
  case none = 0
  case sub, up, average, paeth

  /// The number of bytes after a row that are read but not used: three bytes are loaded as four.
  static let overread = 1

  /// Undoes the filter of `row`, `count` bytes, in place.
  ///
  /// `above` is the previous row with its filter undone, or zeros. `pixel` is the distance between pixels in
  /// bytes: 1, 2, 3, 4, 6 or 8. ``overread`` more bytes must follow both rows.
  ///
  /// Uses pointers, because this function takes most of the time apart from inflating, and every pixel
  /// depends on the one before.
  @unsafe
  func undo(_ row: UnsafeMutableRawPointer, above: UnsafeRawPointer, count: Int, pixel: Int) {
    switch (self, pixel) {
    case (.none, _): return
    case (.up, _): unsafe undoUp(row, above, count)
    case (_, 1): unsafe undo(row, above, count, width: 1, step: 1)
    case (_, 2): unsafe undo(row, above, count, width: 2, step: 2)
    case (_, 3): unsafe undo(row, above, count, width: 3, step: 3)
    case (_, 4): unsafe undo(row, above, count, width: 4, step: 4)
    case (_, 6):
      // The bytes of a pixel are independent: first the left halves of all pixels, then the right halves.
      unsafe undo(row, above, count, width: 3, step: 6)
      unsafe undo(row + 3, above + 3, count - 3, width: 3, step: 6)
    default:
      unsafe undo(row, above, count, width: 4, step: 8)
      unsafe undo(row + 4, above + 4, count - 4, width: 4, step: 8)
    }
  }

  /// Undoes the filter Up. It does not depend on neighbors in the row, so 32 bytes are processed at once.
  private func undoUp(_ row: UnsafeMutableRawPointer, _ above: UnsafeRawPointer, _ count: Int) {
    typealias Bytes = SIMD32<UInt8>
    var offset = 0
    while offset <= count - 32 {
      let stored = unsafe row.loadUnaligned(fromByteOffset: offset, as: Bytes.self)
      let up = unsafe above.loadUnaligned(fromByteOffset: offset, as: Bytes.self)
      unsafe row.storeBytes(of: stored &+ up, toByteOffset: offset, as: Bytes.self)
      offset += 32
    }
    while offset < count {
      let stored = unsafe row.load(fromByteOffset: offset, as: UInt8.self)
      let up = unsafe above.load(fromByteOffset: offset, as: UInt8.self)
      unsafe row.storeBytes(of: stored &+ up, toByteOffset: offset, as: UInt8.self)
      offset += 1
    }
  }

  /// Undoes the filter for `width` bytes every `step` bytes. Inlined as a separate loop for each filter and
  /// width.
  @inline(__always)
  private func undo(
    _ row: UnsafeMutableRawPointer, _ above: UnsafeRawPointer, _ count: Int, width: Int, step: Int
  ) {
    switch self {
    case .sub:
      unsafe Self.undoEach(row, above, count, width, step) { left, _, _ in left }
    case .average:
      unsafe Self.undoEach(row, above, count, width, step) { left, up, _ in (left &+ up) &>> 1 }
    default:
      unsafe Self.undoEach(row, above, count, width, step, Self.paeth)
    }
  }

  /// Returns the Paeth predictor: the neighbor nearest to left + up - upLeft.
  ///
  /// The nearest neighbor is the smaller of left and up if upLeft is far above both. It is the larger if
  /// upLeft is far below both, and upLeft otherwise. `bound` is the limit of "far". It follows from the
  /// distances without their absolute values, and equal distances give the result of the standard. The
  /// dependency chain from `left` to the result has four operations instead of seven.
  @inline(__always)
  private static func paeth(_ left: Lanes, _ up: Lanes, _ upLeft: Lanes) -> Lanes {
    let bound = (upLeft &+ upLeft &+ upLeft &- up) &- left
    let smaller = left.replacing(with: up, where: up .< left)
    let larger = up.replacing(with: left, where: up .< left)
    let inner = upLeft.replacing(with: smaller, where: larger .<= bound)
    return inner.replacing(with: larger, where: bound .<= smaller)
  }

  /// Adds the prediction to every pixel of the row. `predicted` takes the pixels to the left, above, and
  /// above to the left.
  @inline(__always)
  private static func undoEach(
    _ row: UnsafeMutableRawPointer, _ above: UnsafeRawPointer, _ count: Int, _ width: Int, _ step: Int,
    _ predicted: (Lanes, Lanes, Lanes) -> Lanes
  ) {
    var (left, upLeft) = (Lanes(repeating: 0), Lanes(repeating: 0))
    var offset = 0
    while offset < count {
      let up = unsafe load(above + offset, width)
      left = sum(unsafe load(row + offset, width), predicted(left, up, upLeft))
      upLeft = up
      unsafe store(left, row + offset, width)
      offset &+= step
    }
  }

  /// Up to four bytes in lanes of 16 bits, because the Paeth differences need ten bits. The type is not
  /// generic, because generic SIMD compiles to loops over lanes.
  private typealias Lanes = SIMD4<Int16>

  /// Adds the low bytes modulo 256. The high bytes are zero before and after.
  @inline(__always)
  private static func sum(_ first: Lanes, _ second: Lanes) -> Lanes {
    unsafe unsafeBitCast(
      unsafeBitCast(first, to: SIMD8<UInt8>.self) &+ unsafeBitCast(second, to: SIMD8<UInt8>.self),
      to: Lanes.self)
  }

  /// Loads `width` bytes, the first into the first lane on every machine.
  @inline(__always)
  private static func load(_ source: UnsafeRawPointer, _ width: Int) -> Lanes {
    var bits: UInt64
    switch width {
    case 1: bits = UInt64(unsafe source.load(as: UInt8.self))
    case 2: bits = UInt64(UInt16(littleEndian: unsafe source.loadUnaligned(as: UInt16.self)))
    default: bits = UInt64(UInt32(littleEndian: unsafe source.loadUnaligned(as: UInt32.self)))
    }
    bits = (bits | bits &<< 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits &<< 8) & 0x00FF_00FF_00FF_00FF
    return unsafe unsafeBitCast(bits, to: Lanes.self)
  }

  /// Writes exactly `width` bytes.
  @inline(__always)
  private static func store(_ lanes: Lanes, _ destination: UnsafeMutableRawPointer, _ width: Int) {
    var bits = unsafe unsafeBitCast(lanes, to: UInt64.self)
    bits = (bits | bits &>> 8) & 0x0000_FFFF_0000_FFFF
    bits = bits | bits &>> 16
    switch width {
    case 1:
      unsafe destination.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
    case 4:
      unsafe destination.storeBytes(of: UInt32(truncatingIfNeeded: bits).littleEndian, as: UInt32.self)
    default:
      unsafe destination.storeBytes(of: UInt16(truncatingIfNeeded: bits).littleEndian, as: UInt16.self)
      if width == 3 {
        let third = UInt8(truncatingIfNeeded: bits &>> 16)
        unsafe (destination + 2).storeBytes(of: third, as: UInt8.self)
      }
    }
  }
}
