internal import CellophaneImages
internal import TestSupport

/// An ICC profile, and its colors in sRGB according to another program.
struct ColorReference: Sendable, CustomStringConvertible {
  let name: String
  let profile: [UInt8]
  /// The red, green and blue of each color, in the color space of the profile and in sRGB.
  let stored, sRGB: [UInt8]

  init(_ name: String, profile: String, stored: String, sRGB: String) {
    self.name = name
    self.profile = decodedBase64(profile)
    self.stored = decodedBase64(stored)
    self.sRGB = decodedBase64(sRGB)
  }

  var description: String { name }

  static func named(_ name: String) -> ColorReference? { all.first { $0.name == name } }

  /// Returns an image with one row of the stored colors and several alpha values.
  func storedImage() throws -> Image {
    let alphas: [UInt8] = [255, 128, 3, 0]
    var pixels: [UInt8] = []
    for index in 0..<stored.count / 3 {
      pixels += stored[index * 3..<index * 3 + 3]
      pixels.append(alphas[index % 4])
    }
    return try Image(width: stored.count / 3, height: 1, pixels: pixels)
  }
}
