/// Draws a border over the outermost pixels.
struct BorderProcessor: ImageProcessor {
  let width: Int
  let color: Image.Pixel

  var identifier: String? { "border(\(width) \(SIMD4(color)))" }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    let (columns, rows) = (image.width, image.height)
    let border = min(max(width, 0), (min(columns, rows) + 1) / 2)
    guard border > 0 else { return image }
    let color = SIMD4(color)
    try image.withMutablePixels { bytes throws(LoadError) in
      for row in 0..<rows {
        try LoadError.throwIfCancelled()
        let isEdge = row < border || row >= rows - border
        // The ranges of a narrow image must not overlap, because the color may be translucent.
        let left = isEdge ? columns : border
        let right = isEdge ? columns : max(columns - border, border)
        for column in [0..<left, right..<columns].joined() {
          let offset = (row * columns + column) * 4
          bytes.store(color.over(bytes.span.pixel(at: offset)), at: offset)
        }
      }
    }
    return image
  }
}
