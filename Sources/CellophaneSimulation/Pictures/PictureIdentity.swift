internal import Cellophane

/// What a picture proves to be, judged by its pixels alone.
enum PictureIdentity: Hashable, Sendable {
  /// The row number that a generated picture carries, and its version, which only a modelled one tells.
  case row(Int, version: Int = 0)
  /// A generated picture was expected, but no row number can be read.
  case unreadable
  /// The hash of the pixels of a picture of the user's.
  case pixels(UInt64)

  /// Reads the row number from the pixels of a generated picture.
  init(readingRowFrom image: Image) {
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

  /// True for the generated picture `number`, in whichever version.
  func isRow(_ number: Int) -> Bool {
    if case .row(number, _) = self { true } else { false }
  }

  /// Hashes the size and the pixels. Two pictures that differ in a pixel have the same hash with a
  /// probability of 2⁻⁶⁴.
  init(hashing image: Image) {
    let bytes = image.pixels.span
    var hash = SeededDraw.mixed(UInt64(image.width) << 32 ^ UInt64(image.height))
    for pixel in 0..<bytes.count / 4 {
      var word: UInt64 = 0
      for byte in 0..<4 { word = word << 8 | UInt64(bytes[4 * pixel + byte]) }
      hash = SeededDraw.mixed(hash ^ word)
    }
    self = .pixels(hash)
  }

  /// True when the mean brightness of the pixels is above the middle.
  private static func isWhite(_ place: (columns: Range<Int>, lines: Range<Int>), in image: Image) -> Bool {
    var sum = 0
    for y in place.lines {
      for x in place.columns {
        let pixel = image[x, y]
        sum += Int(pixel.red) + 2 * Int(pixel.green) + Int(pixel.blue)
      }
    }
    return sum > 4 * 128 * place.lines.count * place.columns.count
  }
}
