internal import Cellophane

/// How large a terminal is.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var lines: Int
  /// The pixels of one character; nil when the terminal does not tell.
  var cell: PixelSize?
}

/// What has which place on a terminal: a line at the top, the list, a line at the bottom. Lines are numbered from 0.
struct BrowseGeometry: Hashable, Sendable {
  let size: TerminalSize
  /// Where the title stands, or the search; nil when there is no room for it.
  let top: Int?
  /// The lines of the list.
  let list: Range<Int>
  /// Where it is told what the loader does; nil when there is no room for it.
  let bottom: Int?
  /// The picture of a row, in characters; no columns when there is no room for it.
  let picture: (columns: Int, lines: Int)
  /// The size of the picture in pixels.
  let pixels: PixelSize
  /// The lines of a row, with what keeps it from the next.
  let rowLines: Int
  /// The column where the text of a row begins.
  let textColumn: Int

  /// The pixels of a character on a terminal that does not tell: a font of ordinary size.
  private static let cell = PixelSize(width: 8, height: 16)
  /// The shortest side of a picture, in pixels, so that it can be told what it is of.
  private static let shortest = 32

  /// The places on a terminal of `size`.
  init(_ size: TerminalSize) {
    self.size = size
    let lines = max(1, size.lines)
    top = lines >= 4 ? 0 : nil
    bottom = lines >= 2 ? lines - 1 : nil
    list = (lines >= 4 ? 1 : 0)..<(lines >= 2 ? lines - 1 : 1)
    // Three rows or more on an ordinary terminal; on a small one at least one and a part of the next.
    let height = list.count >= 18 ? 6 : list.count >= 9 ? 4 : list.count >= 4 ? 2 : 1
    let cell = size.cell ?? Self.cell
    let width = max(1, (height * cell.height + cell.width / 2) / cell.width)
    // Behind pixels in the last line some terminals move everything up.
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
