/// How a row of a PNG was made easier to compress (ISO/IEC 15948, section 9), and its undoing.
enum PNGFilter: UInt8 {
  case none = 0
  case sub, up, average, paeth

  /// Bytes behind a row that are read with its last pixel and not used: three bytes are loaded as four.
  static let overread = 1

  /// Turns `row`, `count` bytes, back into samples. `above` is the row before it, turned back, or zeros;
  /// `pixel` is the number of bytes from one pixel to the next (1, 2, 3, 4, 6 or 8).
  ///
  /// Pointers, because most of the time goes here that inflating does not take, and each pixel waits for the
  /// one before. Both rows must have `overread` more bytes behind them.
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
      // The bytes of a pixel do not know each other: first the left halves of all pixels, then the right.
      unsafe undo(row, above, count, width: 3, step: 6)
      unsafe undo(row + 3, above + 3, count - 3, width: 3, step: 6)
    default:
      unsafe undo(row, above, count, width: 4, step: 8)
      unsafe undo(row + 4, above + 4, count - 4, width: 4, step: 8)
    }
  }

  /// The one filter that looks at no neighbour in the row, so that many bytes are undone at once.
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

  /// Undoes `width` bytes every `step` bytes; a loop of its own for every filter and width.
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

  /// Whichever of three neighbours is nearest to left + up - upLeft.
  ///
  /// That is the smaller of left and up when upLeft is far above both, the larger when it is far below, and
  /// upLeft between; the bounds of "far" come out of the distances without their absolute values, and equal
  /// distances decide as the standard says. Four steps from `left` to the result instead of seven.
  @inline(__always)
  private static func paeth(_ left: Lanes, _ up: Lanes, _ upLeft: Lanes) -> Lanes {
    let bound = (upLeft &+ upLeft &+ upLeft &- up) &- left
    let smaller = left.replacing(with: up, where: up .< left)
    let larger = up.replacing(with: left, where: up .< left)
    let inner = upLeft.replacing(with: smaller, where: larger .<= bound)
    return inner.replacing(with: larger, where: bound .<= smaller)
  }

  /// Goes along the row: what is stored is the difference from what `predicted` says of the pixel to the
  /// left, the one above and the one above to the left.
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

  /// Up to four bytes in lanes of 16 bits, because the differences of Paeth need ten. The type is not generic,
  /// since generic SIMD compiles to loops over lanes.
  private typealias Lanes = SIMD4<Int16>

  /// The sums of the low bytes, without what overflows: the high bytes are and stay zero.
  @inline(__always)
  private static func sum(_ first: Lanes, _ second: Lanes) -> Lanes {
    unsafe unsafeBitCast(
      unsafeBitCast(first, to: SIMD8<UInt8>.self) &+ unsafeBitCast(second, to: SIMD8<UInt8>.self),
      to: Lanes.self)
  }

  /// `width` bytes, the first in the first lane on every machine.
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

  /// Writes `width` bytes and none more.
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
