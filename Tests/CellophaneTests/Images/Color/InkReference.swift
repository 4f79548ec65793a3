internal import Cellophane

/// A JPEG of inks with its profile, and what its colours are in sRGB according to another program.
struct InkReference: Sendable, CustomStringConvertible {
  let name: String
  /// 16 by 16 squares of 8 by 8 pixels, each of one colour.
  let file: [UInt8]
  /// Red, green and blue of each square.
  let sRGB: [UInt8]

  /// Squares on a side.
  static let side = 16

  init(_ name: String, file: String, sRGB: String) {
    self.name = name
    self.file = decodedBase64(file)
    self.sRGB = decodedBase64(sRGB)
  }

  var description: String { name }

  /// The largest difference from the reference of the first `rows` rows of `image`, whose squares are `square`
  /// pixels wide; 255 when one is not opaque.
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
