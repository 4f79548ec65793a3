@testable internal import CellophaneImages

/// A reference for fitting an image to a size: averages in floating point, written for clarity instead of
/// speed.
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
    case .shortestSide:
      let scale = min(max(across, down), 1)
      output = PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
    case .fill:
      let scale = max(across, down)
      precondition(scale <= 1, "the reference does not crop without reducing")
      part.width = Double(target.width) / scale
      part.height = Double(target.height) / scale
      part.x = (width - part.width) / 2
      part.y = (height - part.height) / 2
    }
    let bytes = image.pixels
    let source = stride(from: 0, to: bytes.count, by: 4).map {
      SIMD4(bytes[$0], bytes[$0 + 1], bytes[$0 + 2], bytes[$0 + 3])
    }
    let reference = ResamplingReference(
      source: source, size: PixelSize(width: image.width, height: image.height),
      part: Framing.Crop(x: part.x, y: part.y, width: part.width, height: part.height), output: output,
      filter: .area)
    let pixels = (0..<output.height).flatMap { y in
      (0..<output.width).flatMap { x in
        let pixel = reference.pixel(x, y)
        return [pixel.x, pixel.y, pixel.z, pixel.w]
      }
    }
    guard let result = try? Image(width: output.width, height: output.height, pixels: pixels) else {
      preconditionFailure("the reference image has the wrong size")
    }
    return result
  }

  static func largestDifference(_ a: Image, _ b: Image) -> Int {
    zip(a.pixels, b.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
  }
}
