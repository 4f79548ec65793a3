internal import CellophaneImages
internal import TestSupport

/// A CMYK JPEG with a profile, and its colors in sRGB according to another program.
struct InkReference: Sendable, CustomStringConvertible {
  let name: String
  /// The JPEG: 16x16 squares of 8x8 pixels, each of one color.
  let file: [UInt8]
  /// The red, green and blue of each square.
  let sRGB: [UInt8]

  /// The number of squares per side.
  static let side = 16

  init(_ name: String, file: String, sRGB: String) {
    self.name = name
    self.file = decodedBase64(file)
    self.sRGB = decodedBase64(sRGB)
  }

  var description: String { name }

  /// Returns the largest difference between the first `rows` rows of `image` and the reference. Returns 255
  /// if a pixel is not opaque.
  ///
  /// `square` is the width of a square in pixels.
  func difference(_ image: Image, square: Int, rows: Int? = nil) -> Int {
    var largest = 0
    for y in 0..<(rows ?? image.height) {
      for x in 0..<image.width {
        let pixel = image[x, y]
        let index = (y / square * Self.side + x / square) * 3
        for (one, other) in zip([pixel.red, pixel.green, pixel.blue], sRGB[index..<index + 3]) {
          largest = max(largest, abs(Int(one) - Int(other)))
        }
        if pixel.alpha != 255 { return 255 }
      }
    }
    return largest
  }
}
