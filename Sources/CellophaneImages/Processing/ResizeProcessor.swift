/// Resizes images by the resampler of the decoder.
struct ResizeProcessor: ImageProcessor {
  let size: PixelSize
  let mode: ResizeMode
  let filter: ResizeFilter
  let enlarges: Bool

  var identifier: String? { "resize(\(size) \(mode.rawValue) \(filter.rawValue) \(enlarges))" }

  /// The maximum number of pixels of an enlarged result. 100 million: the default limit of ``ImageDecoder``.
  private static let maximumPixels = 100_000_000
  /// The pixels between two checks for cancellation. A million takes about ten milliseconds.
  private static let stripPixels = 1 << 20

  private func framing(of size: PixelSize) throws(LoadError) -> Framing {
    let options = ImageOptions(targetSize: self.size, mode: mode, filter: filter, enlarges: enlarges)
    return try Framing(stored: size.clamped, orientation: .up, scaling: .none, options: options)
  }

  func size(for size: PixelSize) -> PixelSize { (try? framing(of: size))?.output ?? size }

  func process(_ image: consuming Image) throws(LoadError) -> Image {
    let (width, height) = (image.width, image.height)
    let framing = try framing(of: PixelSize(width: width, height: height))
    if framing.isIdentity { return image }
    let output = framing.output
    guard let area = output.area, area <= max(Self.maximumPixels, width * height),
      let bytes = output.byteCount
    else {
      throw LoadError(
        .imageTooLarge,
        "the image would be enlarged to \(output.width)x\(output.height) pixels; the limit is "
          + "\(Self.maximumPixels) pixels; choose a smaller target size")
    }
    let working =
      framing.isResampled
      ? Resampler.workingBytes(from: framing.decoded, to: output, filter: filter) : 0
    guard working <= Image.maximumWorkingBytes else {
      throw LoadError(
        .imageTooLarge,
        "resizing \(width)x\(height) to \(output.width)x\(output.height) pixels needs \(working) bytes; the limit "
          + "is \(Image.maximumWorkingBytes); choose a target with shorter rows")
    }
    let source = PixelRows(width: width, pixels: image.pixels)
    var reframer = Reframer(framing, byteCount: bytes)
    let step = max(1, Self.stripPixels / width)
    for row in stride(from: 0, to: height, by: step) {
      try LoadError.throwIfCancelled()
      reframer.add(source, rows: row..<min(row + step, height))
    }
    return try image.replacing(pixels: reframer.pixels, size: output)
  }
}
