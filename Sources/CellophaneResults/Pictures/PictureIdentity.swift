package import Cellophane

/// The identity of an image, as its pixels prove it.
package enum PictureIdentity: Hashable, Sendable {
  /// A generated image with a row number, and the version of a modeled image.
  case row(Int, version: Int = 0)
  /// A generated image without a readable row number.
  case unreadable
  /// An image of the user, identified by the hash of its pixels.
  case pixels(UInt64)

  /// Reads the row number from the pixels of a generated image.
  package init(readingRowFrom image: Image) {
    let area = CodeArea(width: image.width, height: image.height)
    guard area.isReadable else {
      self = .unreadable
      return
    }
    var cells: UInt64 = 0
    for cell in 0..<RowCode.side * RowCode.side where Self.isWhite(area.middle(of: cell), in: image) {
      cells |= 1 << UInt64(cell)
    }
    self = RowCode.row(in: cells).map { .row($0) } ?? .unreadable
  }

  /// Returns true for the generated image `number` of any version.
  func isRow(_ number: Int) -> Bool {
    if case .row(number, _) = self { true } else { false }
  }

  /// Hashes the size and the pixels. Two images that differ in a pixel have the same hash with a probability
  /// of 2⁻⁶⁴.
  package init(hashing image: Image) {
    let bytes = image.pixels.span
    var hash = SeededDraw.mixed(UInt64(image.width) << 32 ^ UInt64(image.height))
    for pixel in 0..<bytes.count / 4 {
      var word: UInt64 = 0
      for byte in 0..<4 { word = word << 8 | UInt64(bytes[4 * pixel + byte]) }
      hash = SeededDraw.mixed(hash ^ word)
    }
    self = .pixels(hash)
  }

  /// Returns true if the mean brightness of an area is above the middle.
  private static func isWhite(_ area: (columns: Range<Int>, rows: Range<Int>), in image: Image) -> Bool {
    var sum = 0
    for y in area.rows {
      for x in area.columns {
        let pixel = image[x, y]
        sum += Int(pixel.red) + 2 * Int(pixel.green) + Int(pixel.blue)
      }
    }
    return sum > 4 * 128 * area.rows.count * area.columns.count
  }
}
