internal import CellophaneImages

/// References for processors, written for clarity instead of speed.
enum ProcessingReference {
  /// Returns an image of `width` x `height` whose pixels are `pixel(x, y)`.
  static func image(
    _ width: Int, _ height: Int, _ pixel: (Int, Int) throws -> Image.Pixel
  ) throws -> Image {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let pixel = try pixel(x, y)
        pixels += [pixel.red, pixel.green, pixel.blue, pixel.alpha]
      }
    }
    return try Image(width: width, height: height, pixels: pixels)
  }

  /// Returns `upper` over `lower` in exact fractions, rounded half up.
  static func over(_ upper: Image.Pixel, _ lower: Image.Pixel) -> Image.Pixel {
    let (above, below) = (Int(upper.alpha) * 255, Int(lower.alpha) * (255 - Int(upper.alpha)))
    let total = above + below
    guard total > 0 else { return lower }
    func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((2 * (Int(a) * above + Int(b) * below) + total) / (2 * total))
    }
    return Image.Pixel(
      red: mixed(upper.red, lower.red), green: mixed(upper.green, lower.green),
      blue: mixed(upper.blue, lower.blue), alpha: UInt8((2 * total + 255) / 510))
  }

  /// The colors times alpha, and alpha, of a pixel; all in 0...255.
  static func premultiplied(_ pixel: Image.Pixel) -> SIMD4<Double> {
    let share = Double(pixel.alpha) / 255
    return SIMD4(
      Double(pixel.red) * share, Double(pixel.green) * share, Double(pixel.blue) * share,
      Double(pixel.alpha))
  }

  /// Returns `image`, with premultiplied colors, filtered by `weights` along its rows and then along its columns.
  ///
  /// The middle of `weights` is the center. Beyond its edges, the image is continued by its outermost pixels.
  static func filtered(_ image: Image, by weights: [Double]) -> [[SIMD4<Double>]] {
    filtered(
      (0..<image.height).map { y in (0..<image.width).map { premultiplied(image[$0, y]) } }, by: weights)
  }

  static func filtered(_ rows: [[SIMD4<Double>]], by weights: [Double]) -> [[SIMD4<Double>]] {
    let across = rows.map { filtered($0, by: weights) }
    let columns = across[0].indices.map { x in filtered(across.map { $0[x] }, by: weights) }
    return rows.indices.map { y in columns.map { $0[y] } }
  }

  private static func filtered(_ line: [SIMD4<Double>], by weights: [Double]) -> [SIMD4<Double>] {
    let (total, middle) = (weights.reduce(0, +), weights.count / 2)
    return line.indices.map { center in
      weights.indices.reduce(into: SIMD4.zero) { sum, index in
        let position = min(max(center + index - middle, 0), line.count - 1)
        sum += line[position] * (weights[index] / total)
      }
    }
  }

  /// Returns the largest difference between the premultiplied values of `image` and `reference` in `columns` and
  /// `rows`.
  static func largestDifference(
    _ image: Image, _ reference: [[SIMD4<Double>]], columns: Range<Int>, rows: Range<Int>
  ) -> Double {
    rows.flatMap { y in
      columns.map { x in
        let difference = premultiplied(image[x, y]) - reference[y][x]
        return max(difference.max(), -difference.min())
      }
    }.max() ?? 0
  }
}
