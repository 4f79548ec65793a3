internal import Cellophane

/// Averages areas the slow and obvious way, in floating point, to compare with.
enum AreaReference {
  static func reduced(_ image: Image, to target: PixelSize, mode: ResizeMode) -> Image {
    let (width, height) = (Double(image.width), Double(image.height))
    let across = Double(target.width) / width
    let down = Double(target.height) / height
    var part = (x: 0.0, y: 0.0, width: width, height: height)
    var output = target
    switch mode {
    case .exact:
      output = PixelSize(width: min(target.width, image.width), height: min(target.height, image.height))
    case .fit:
      let scale = min(across, down, 1)
      output = PixelSize(
        width: max(1, Int((width * scale).rounded())), height: max(1, Int((height * scale).rounded())))
    case .fill:
      let scale = max(across, down)
      precondition(scale <= 1, "the reference does not crop without reducing")
      part.width = Double(target.width) / scale
      part.height = Double(target.height) / scale
      part.x = (width - part.width) / 2
      part.y = (height - part.height) / 2
    }
    var pixels: [UInt8] = []
    for y in 0..<output.height {
      for x in 0..<output.width {
        pixels += mean(
          image, left: part.x + part.width * Double(x) / Double(output.width),
          right: part.x + part.width * Double(x + 1) / Double(output.width),
          top: part.y + part.height * Double(y) / Double(output.height),
          bottom: part.y + part.height * Double(y + 1) / Double(output.height))
      }
    }
    guard let result = try? Image(width: output.width, height: output.height, pixels: pixels) else {
      preconditionFailure("the reference made a picture of the wrong size")
    }
    return result
  }

  private static func mean(
    _ image: Image, left: Double, right: Double, top: Double, bottom: Double
  ) -> [UInt8] {
    var (red, green, blue, alpha, area) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for y in Int(top)..<min(image.height, Int(bottom.rounded(.up))) {
      let height = min(bottom, Double(y + 1)) - max(top, Double(y))
      for x in Int(left)..<min(image.width, Int(right.rounded(.up))) {
        let weight = height * (min(right, Double(x + 1)) - max(left, Double(x)))
        let pixel = image[x, y]
        let opaque = weight * Double(pixel.alpha)
        red += opaque * Double(pixel.red)
        green += opaque * Double(pixel.green)
        blue += opaque * Double(pixel.blue)
        alpha += opaque
        area += weight
      }
    }
    guard alpha > 0 else { return [0, 0, 0, 0] }
    return [red / alpha, green / alpha, blue / alpha, alpha / area].map { UInt8($0.rounded()) }
  }

  static func largestDifference(_ a: Image, _ b: Image) -> Int {
    zip(a.pixels, b.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
