internal import Cellophane

/// The layout of the screen: a title line, the list, a status line. Lines are numbered from 0.
struct BrowseGeometry: Hashable, Sendable {
  let size: TerminalSize
  /// The line of the title or the search; nil if there is no room for it.
  let top: Int?
  /// The lines of the list.
  let list: Range<Int>
  /// The line of the status; nil if there is no room for it.
  let bottom: Int?
  /// The size of a row's image in characters; zero columns if there is no room for it.
  let picture: (columns: Int, lines: Int)
  /// The size of the image in pixels.
  let pixels: PixelSize
  /// The lines of a row, including the gap to the next.
  let rowLines: Int
  /// The first column of a row's text.
  let textColumn: Int

  /// The assumed size of a character in pixels: a font of ordinary size.
  private static let cell = PixelSize(width: 8, height: 16)
  /// The shortest side of an image in pixels. Smaller generated images would lose the code of their row number.
  private static let shortest = 32

  /// Creates the layout for a terminal of `size`.
  init(_ size: TerminalSize) {
    self.size = size
    let lines = max(1, size.lines)
    top = lines >= 4 ? 0 : nil
    bottom = lines >= 2 ? lines - 1 : nil
    list = (lines >= 4 ? 1 : 0)..<(lines >= 2 ? lines - 1 : 1)
    // At least three rows on an ordinary terminal; on a small one at least one row and a part of the next.
    let height = list.count >= 18 ? 6 : list.count >= 9 ? 4 : list.count >= 4 ? 2 : 1
    let cell = size.cell ?? Self.cell
    let width = max(1, (height * cell.height + cell.width / 2) / cell.width)
    // Some terminals scroll up after pixels in the last line.
    let fits = width + 2 <= size.columns && lines >= 2
    picture = (fits ? width : 0, height)
    textColumn = fits ? width + 3 : 0
    rowLines = height == 1 ? 1 : height + 1
    let scale = max(1, (Self.shortest + height * cell.height - 1) / (height * cell.height))
    pixels = PixelSize(width: width * cell.width * scale, height: height * cell.height * scale)
  }

  static func == (a: BrowseGeometry, b: BrowseGeometry) -> Bool { a.size == b.size }
  func hash(into hasher: inout Hasher) { hasher.combine(size) }
}
