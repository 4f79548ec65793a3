/// The pixels of the resulting image. Writing rows in stored order applies the orientation.
struct Canvas {
  /// The pixels written so far. Other pixels are transparent black.
  private(set) var pixels: [UInt8]
  /// The stored pixel (x, y) is written to `origin + x * across + y * down`, in pixels.
  private let origin, across, down: Int

  /// Creates a canvas for a stored image of `size` with `byteCount` bytes of pixels.
  init(_ size: PixelSize, byteCount: Int, orientation: Orientation) {
    let (width, height) = (size.width, size.height)
    let last = width * height - 1
    (origin, across, down) =
      switch orientation {
      case .up: (0, 1, width)
      case .upMirrored: (width - 1, -1, width)
      case .down: (last, -1, -width)
      case .downMirrored: (last + 1 - width, 1, -width)
      case .leftMirrored: (0, height, 1)
      case .right: (height - 1, height, -1)
      case .rightMirrored: (last, -height, -1)
      case .left: (last + 1 - height, -height, 1)
      }
    pixels = Array(repeating: 0, count: byteCount)
  }

  /// Writes a part of `source`. Its first row becomes row `y` in stored order.
  mutating func write(_ source: PixelRows, columns: Range<Int>, rows: Range<Int>, y: Int) {
    let (across, down) = (across, down)
    let corner = origin + y * down
    if across == 1, down == columns.count, source.width == columns.count {
      // Complete rows in both: one copy.
      let destination = corner * 4
      pixels.replaceSubrange(
        destination..<destination + rows.count * source.width * 4,
        with: source.pixels[rows.lowerBound * source.width * 4..<rows.upperBound * source.width * 4])
      return
    }
    if across == 1 {
      for (index, row) in rows.enumerated() {
        let destination = (corner + index * down) * 4
        pixels.replaceSubrange(
          destination..<destination + columns.count * 4,
          with: source.pixels[source.range(of: row, columns: columns)])
      }
      return
    }
    let stored = source.pixels.span
    var bytes = pixels.mutableSpan
    if across == -1 {
      for (index, row) in rows.enumerated() {
        var destination = (corner + index * down) * 4
        for column in columns {
          bytes.store(stored.pixel(at: (row * source.width + column) * 4), at: destination)
          destination -= 4
        }
      }
    } else {
      // Rotated by 90 degrees: column by column, so that adjacent pixels are written in order. Row by row,
      // each pixel would touch another page.
      for (index, column) in columns.enumerated() {
        var destination = (corner + index * across) * 4
        for row in rows {
          bytes.store(stored.pixel(at: (row * source.width + column) * 4), at: destination)
          destination += down * 4
        }
      }
    }
  }
}

/// Some rows of an image: red, green, blue and alpha of each pixel.
struct PixelRows {
  let width, count: Int
  var pixels: [UInt8]

  /// Creates transparent black rows.
  init(width: Int, count: Int) {
    self.width = width
    self.count = count
    pixels = Array(repeating: 0, count: width * count * 4)
  }

  /// Creates rows of `pixels`, at least one.
  init(width: Int, pixels: [UInt8]) {
    self.width = width
    count = pixels.count / (width * 4)
    self.pixels = pixels
  }

  /// Returns the range of bytes for `columns` of `row`.
  func range(of row: Int, columns: Range<Int>) -> Range<Int> {
    (row * width + columns.lowerBound) * 4..<(row * width + columns.upperBound) * 4
  }
}
