extension Image {
  /// Draws `image` over this image. Parts outside of this image are clipped.
  ///
  /// Colors are blended as stored, so both images should have the same color profile and orientation. This image
  /// keeps its own.
  ///
  /// - Parameters:
  ///   - image: The image that is drawn.
  ///   - x: The column of its left edge; negative values are left of this image.
  ///   - y: The row of its top edge; negative values are above this image.
  /// - Complexity: linear in the number of pixels that are drawn.
  public mutating func draw(_ image: Image, x: Int, y: Int) {
    guard x < width, y < height, x > -image.width, y > -image.height else { return }
    let columns = max(x, 0)..<min(x + image.width, width)
    let rows = max(y, 0)..<min(y + image.height, height)
    let (width, source) = (width, image.pixels.span)
    var bytes = pixels.mutableSpan
    for row in rows {
      let upper = (row - y) * image.width - x
      let lower = row * width
      for column in columns {
        let offset = (lower + column) * 4
        bytes.store(source.pixel(at: (upper + column) * 4).over(bytes.span.pixel(at: offset)), at: offset)
      }
    }
  }
}
