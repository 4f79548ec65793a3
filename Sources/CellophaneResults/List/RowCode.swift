/// A row number as 8 × 8 black and white cells, which a generated image contains in its pixels.
///
/// The code has 24 bits of number, a checksum of 16 bits, and the inverted number. An image that is torn,
/// blended from two images or too small therefore gives no number instead of a wrong one. The cells are
/// large, so that JPEG compression and averaging downscaling keep their middles.
package enum RowCode {
  /// The number of cells in a row and in a column of the code.
  static let side = 8
  /// The largest number of 24 bits.
  static let maxRow = 1 << 24 - 1

  /// Returns the cells of `row`. The lowest bit is the cell at the top left; 1 is white.
  package static func cells(of row: Int) -> UInt64 {
    let number = UInt64(row & maxRow)
    return number | UInt64(checksum(of: number)) << 24 | (~number & UInt64(maxRow)) << 40
  }

  /// Returns the number in `cells`; nil if its copy or its checksum does not match.
  static func row(in cells: UInt64) -> Int? {
    let number = cells & UInt64(maxRow)
    return cells == self.cells(of: Int(number)) ? Int(number) : nil
  }

  /// Returns the CRC-16/CCITT-FALSE of the number's three bytes (polynomial 0x1021, initial value 0xFFFF).
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
