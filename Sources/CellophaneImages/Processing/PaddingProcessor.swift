/// Centers images on a canvas of one color.
struct PaddingProcessor: ImageProcessor {
  let canvas: PixelSize
  let color: Image.Pixel

  var identifier: String? { "pad(\(canvas) \(SIMD4(color)))" }

  func size(for size: PixelSize) -> PixelSize {
    PixelSize(width: max(canvas.width, size.width), height: max(canvas.height, size.height))
  }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    let size = size(for: PixelSize(width: image.width, height: image.height))
    let (columns, rows) = (size.width - image.width, size.height - image.height)
    if columns == 0, rows == 0 { return image }
    guard let bytes = size.byteCount, bytes <= Image.maximumWorkingBytes else {
      throw LoadError(
        .imageTooLarge,
        "the canvas of \(size.width)x\(size.height) pixels is too large; choose a smaller one")
    }
    let color = SIMD4(color)
    let border = [color.x, color.y, color.z, color.w]
    func add(_ count: Int, to pixels: inout [UInt8]) { for _ in 0..<count { pixels += border } }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(bytes)
    // If the image cannot be centered exactly, it is half a pixel further to the left or top.
    add(rows / 2 * size.width, to: &pixels)
    let width = image.width * 4
    for row in 0..<image.height {
      try LoadError.throwIfCancelled()
      add(columns / 2, to: &pixels)
      pixels += image.pixels[row * width..<(row + 1) * width]
      add(columns - columns / 2, to: &pixels)
    }
    add((rows - rows / 2) * size.width, to: &pixels)
    return try image.replacing(pixels: pixels, size: size)
  }
}
