/// The area of a generated image that shows its code: the middle half of its width and of its height.
package struct CodeArea: Sendable, Hashable {
  private let left, top, width, height: Int

  /// Creates the area for an image of `width` × `height` pixels.
  package init(width: Int, height: Int) {
    left = width / 4
    top = height / 4
    self.width = width - 2 * left
    self.height = height - 2 * top
  }

  /// False if the image is so small that a cell would have no pixel.
  var isReadable: Bool { width >= RowCode.side && height >= RowCode.side }

  /// Returns the cell at the pixel (x, y); nil outside the area.
  package func cell(x: Int, y: Int) -> Int? {
    guard (left..<left + width).contains(x), (top..<top + height).contains(y) else { return nil }
    // The middle of the pixel decides.
    let column = (2 * (x - left) + 1) * RowCode.side / (2 * width)
    let row = (2 * (y - top) + 1) * RowCode.side / (2 * height)
    return row * RowCode.side + column
  }

  /// Returns the pixels in the middle of `cell`: half of its width and height, at least one pixel.
  func middle(of cell: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    let columns = Self.middle(of: cell % RowCode.side, length: width, from: left)
    let rows = Self.middle(of: cell / RowCode.side, length: height, from: top)
    return (columns, rows)
  }

  private static func middle(of index: Int, length: Int, from start: Int) -> Range<Int> {
    let cell = Double(length) / Double(RowCode.side)
    let first = Int((cell * (Double(index) + 0.25) - 0.5).rounded(.up))
    let last = Int((cell * (Double(index) + 0.75) - 0.5).rounded(.down))
    if first <= last { return start + first..<start + last + 1 }
    let only = start + Int((cell * (Double(index) + 0.5)).rounded(.down))
    return only..<only + 1
  }
}
