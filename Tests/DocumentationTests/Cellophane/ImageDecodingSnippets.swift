internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/ImageDecoding.md.

/// A request for a square thumbnail with the sharper filter.
func sharpThumbnail(_ url: String) throws(LoadError) -> ImageRequest {
  let options = ImageOptions(
    targetSize: PixelSize(width: 256, height: 256), mode: .fill, filter: .lanczos3)
  return try ImageRequest(url, options: options)
}

/// Decodes a file that is in memory already, within narrower limits than the default.
func decodeUpload(_ file: [UInt8]) throws(LoadError) -> Image {
  let decoder = ImageDecoder(maximumPixels: 25_000_000, timeLimit: .seconds(2))
  let header = try decoder.header(of: file)
  print(header.format, header.displaySize, header.isProgressive ? "progressive" : "sequential")
  return try decoder.decode(file, options: ImageOptions(targetSize: PixelSize(width: 640, height: 640)))
}

/// Reports a file whose colors are not sRGB.
func reportColors(of file: [UInt8]) throws(LoadError) {
  let profile = try ImageDecoder().colorProfile(of: file)
  if !profile.isSRGB {
    print("the colors are \(profile.name)\(profile.isWideGamut ? ", a wide gamut" : "")")
  }
}

/// Recovers the readable part of a file that ends early.
func recover(_ file: [UInt8]) throws(LoadError) -> Image {
  let image = try ImageDecoder().decode(file, options: ImageOptions(allowsPartial: true))
  if image.isPartial { print("the file is damaged or incomplete") }
  return image
}

/// Encodes an image as a JPEG file and writes it in pieces.
func write(_ image: Image, to output: (Span<UInt8>) throws(LoadError) -> Void) throws(LoadError) {
  try image.encode(as: .jpeg(quality: 80), to: output)
}
