internal import CellophaneImages
internal import Foundation
internal import TestSupport

/// A generated image with its placeholders from independent programs. `Scripts/make-placeholder-corpus.py` writes them
/// to `expected.json`.
struct PlaceholderReference: Sendable, Decodable, CustomStringConvertible {
  /// A ThumbHash, and its picture in a small size.
  struct Picture: Sendable, Decodable, CustomStringConvertible {
    /// The bytes.
    let hash: Data
    /// False if the last bit of the system's cosines decides some coefficients. Nil for random bytes.
    let isExact: Bool?
    let width, height: Int
    /// Red, green, blue and alpha.
    let pixels: Data

    var description: String { hash.base64EncodedString() }
  }

  struct Blur: Sendable, Decodable {
    let hash: String
    /// The size of the picture.
    let width, height: Int
    /// The numbers of components.
    let x, y: Int
    let punch: Double
    /// Red, green and blue.
    let pixels: Data
  }

  let pattern: String
  let width, height: Int
  let thumbHash: Picture
  /// Nil for images with alpha.
  let blurHash: Blur?

  var description: String { "\(pattern) \(width)x\(height)" }

  /// The image, computed by the formula of the script.
  var image: Image {
    get throws {
      if pattern == "noise" { return try noise(width, height, seed: 1) }
      return try ProcessingReference.image(width, height) { x, y in try pixel(x, y) }
    }
  }

  private func pixel(_ x: Int, _ y: Int) throws -> Image.Pixel {
    switch pattern {
    case "gradient":
      let (red, green) = (x * (y + 3) * 255 / (width * (height + 3)), y * y * 255 / (height * height))
      return Image.Pixel(red: UInt8(red), green: UInt8(green), blue: UInt8((7 * x + 3 * y) % 256))
    case "fading":
      let alpha = (x + y) * 255 / max(width + height - 2, 1)
      return Image.Pixel(
        red: UInt8(255 - x * 200 / width), green: UInt8(y * 220 / height), blue: 90, alpha: UInt8(alpha))
    case "disc":
      let (right, down, side) = (3 * x - width, 3 * y - 2 * height, min(width, height))
      return right * right + down * down <= side * side
        ? Image.Pixel(red: 230, green: UInt8(3 * x % 256), blue: 40)
        : Image.Pixel(red: 0, green: 0, blue: 255, alpha: 0)
    case "checks":
      return (x / 13 + y / 11) % 2 == 1
        ? Image.Pixel(red: 250, green: 220, blue: 10) : Image.Pixel(red: 20, green: 40, blue: 160)
    case "yellow_blue":
      let blue = Image.Pixel(red: 0, green: 0, blue: 255)
      return split(x, y, Image.Pixel(red: 255, green: 255, blue: 0), blue)
    case "red_green":
      let green = Image.Pixel(red: 0, green: 255, blue: 0)
      return split(x, y, Image.Pixel(red: 255, green: 0, blue: 0), green)
    case "white_black":
      let black = Image.Pixel(red: 0, green: 0, blue: 0)
      return split(x, y, Image.Pixel(red: 255, green: 255, blue: 255), black)
    case "visible_clear":
      let clear = Image.Pixel(red: 250, green: 128, blue: 7, alpha: 0)
      return split(x, y, Image.Pixel(red: 250, green: 128, blue: 7), clear)
    case "uniform": return Image.Pixel(red: 200, green: 120, blue: 33)
    case "clear": return Image.Pixel(red: 90, green: 50, blue: 10, alpha: 0)
    default: throw LoadError(.invalidRequest, "no pattern is named \(pattern)")
    }
  }

  /// Returns one of two colors on the sides of a slanted edge.
  private func split(_ x: Int, _ y: Int, _ left: Image.Pixel, _ right: Image.Pixel) -> Image.Pixel {
    (9 * x + 2 * y) * 2 < 9 * width + 2 * height + 5 ? left : right
  }

  /// All references, read once. Empty if the file cannot be read; a test checks the count.
  static let all = PlaceholderReferences.shared.images
}

/// The content of `expected.json`.
struct PlaceholderReferences: Sendable, Decodable {
  let images: [PlaceholderReference]
  /// Random placeholders with their pictures. No image has such large coefficients.
  let thumbHashes: [PlaceholderReference.Picture]

  static let shared: PlaceholderReferences = {
    do {
      let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "expected.json")
      return try JSONDecoder().decode(PlaceholderReferences.self, from: try Data(contentsOf: file))
    } catch {
      print("the references cannot be read: \(error)")
      return PlaceholderReferences(images: [], thumbHashes: [])
    }
  }()
}

/// Returns the mean color of `image`, weighted by alpha, with the mean alpha.
func mean(of image: Image) -> SIMD4<Double> {
  var sum = SIMD4<Double>.zero
  for y in 0..<image.height {
    for x in 0..<image.width {
      sum += ProcessingReference.premultiplied(image[x, y])
    }
  }
  let alpha = sum.w / Double(image.width * image.height)
  let color = sum.w > 0 ? sum / sum.w * 255 : .zero
  return SIMD4(color.x, color.y, color.z, alpha)
}

/// Returns the largest difference between two colors or lists of bytes.
func largestDifference(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Int {
  zip(one, other).map { abs(Int($0) - Int($1)) }.max() ?? 0
}
