/// A row number as 8 × 8 black and white cells, the way a generated picture carries it in its pixels.
///
/// 24 bits of number, a checksum of 16, and the number once more with every bit turned over: a picture that
/// is torn, blended from two or too small gives no number rather than a wrong one. Cells are large, so that
/// JPEG and scaling down by area leave their middles as they were.
enum RowCode {
  /// Cells in a line and lines of cells.
  static let side = 8
  /// The largest number of 24 bits.
  static let largestRow = 1 << 24 - 1

  /// The cells of `row`, the first (top left) in the lowest bit; a white cell is 1.
  static func cells(of row: Int) -> UInt64 {
    let number = UInt64(row & largestRow)
    return number | UInt64(checksum(of: number)) << 24 | (~number & UInt64(largestRow)) << 40
  }

  /// The number in `cells`, or nil when they contradict one another.
  static func row(in cells: UInt64) -> Int? {
    let number = cells & UInt64(largestRow)
    return cells == self.cells(of: Int(number)) ? Int(number) : nil
  }

  /// CRC-16/CCITT-FALSE (polynomial 0x1021, all ones at the start) of the number's three bytes.
  private static func checksum(of number: UInt64) -> UInt16 {
    var remainder: UInt16 = 0xFFFF
    for shift in [16, 8, 0] {
      remainder ^= UInt16(truncatingIfNeeded: number >> UInt64(shift) & 0xFF) << 8
      for _ in 0..<8 {
        remainder = remainder & 0x8000 == 0 ? remainder << 1 : remainder << 1 ^ 0x1021
      }
    }
    return remainder
  }
}
