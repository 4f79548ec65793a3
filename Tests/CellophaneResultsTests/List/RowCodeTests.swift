@testable import CellophaneResults
import Testing

@Suite struct RowCodeTests {
  @Test func `each row is read from its cells`() {
    for row in [0, 1, 2, 255, 256, 499, 65_535, 65_536, RowCode.maxRow] {
      #expect(RowCode.row(in: RowCode.cells(of: row)) == row)
    }
  }

  @Test(arguments: [77, RowCode.maxRow])
  func `a code with up to three damaged cells gives no row`(row: Int) {
    let cells = RowCode.cells(of: row)
    for a in 0..<64 {
      for b in a..<64 {
        for c in b..<64 {
          let damaged = cells ^ (1 << UInt64(a)) ^ (b > a ? 1 << UInt64(b) : 0) ^ (c > b ? 1 << UInt64(c) : 0)
          if RowCode.row(in: damaged) != nil {
            Issue.record("row \(row) is read with inverted cells \(a), \(b), \(c)")
            return
          }
        }
      }
    }
  }

  @Test func `a black, white or torn image gives no row`() {
    #expect(RowCode.row(in: 0) == nil)
    #expect(RowCode.row(in: .max) == nil)
    for row in 1..<500 {
      for lines in 1...5 {
        let mask: UInt64 = (1 << UInt64(8 * lines)) - 1
        let torn = RowCode.cells(of: row) & mask | RowCode.cells(of: row - 1) & ~mask
        #expect(RowCode.row(in: torn) == nil)
      }
    }
  }

  @Test func `the checksum is CRC-16/CCITT-FALSE`() {
    // crcmod's "crc-ccitt-false" of the bytes 12 34 56.
    #expect(RowCode.cells(of: 0x12_3456) >> 24 & 0xFFFF == 0x12FD)
  }

  @Test(arguments: [(16, 16), (96, 96), (112, 112), (120, 80), (320, 320), (1080, 1080), (33, 47)])
  func `the middle of a cell lies within the cell`(width: Int, height: Int) {
    let area = CodeArea(width: width, height: height)
    #expect(area.isReadable)
    for cell in 0..<64 {
      let middle = area.middle(of: cell)
      for y in middle.rows { for x in middle.columns { #expect(area.cell(x: x, y: y) == cell) } }
    }
  }

  @Test func `an image that is too small for the cells is not read`() {
    #expect(!CodeArea(width: 10, height: 100).isReadable)
    #expect(!CodeArea(width: 100, height: 0).isReadable)
  }
}
