internal import Cellophane

// The code about processors in Sources/Cellophane/Cellophane.docc/ImageDecoding.md and in the comments of ImageProcessor.

func avatar(of image: Image) throws(LoadError) -> Image {
  let white = Image.Pixel(red: 255, green: 255, blue: 255)
  let avatar = try image.processed(by: [
    .resize(to: PixelSize(width: 96, height: 96), mode: .fill), .border(width: 2, color: white), .circle,
  ])
  return avatar
}

func avatars(at url: String) throws(LoadError) -> [ImageRequest] {
  let size = PixelSize(width: 96, height: 96)
  let sharp = try ImageRequest(url, size: size, mode: .fill, processors: [.circle])
  let soft = try ImageRequest(url, size: size, mode: .fill, processors: [.circle, .blur(radius: 3)])
  return [sharp, soft]
}

struct Inversion: ImageProcessor {
  func process(_ image: consuming Image) throws(LoadError) -> Image {
    image.withMutablePixels { pixels in
      for index in pixels.indices where index % 4 != 3 { pixels[index] = 255 - pixels[index] }
    }
    return image
  }
}

func loaderWithResults() -> ImageLoader {
  let disk = DiskCache(directory: "/var/cache/gallery")
  let bytes = ByteLoader(transport: CurlTransport(), disk: disk)
  let images = ImageLoader(bytes: bytes, decoder: ImageDecoder(), results: disk)
  return images
}

func placeholders(of image: Image) throws(LoadError) -> ([Image], Image.Pixel) {
  let hash = try ThumbHash(encoding: image)
  let placeholder = try ThumbHash(base64: hash.base64).image()
  let soft = try BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj").image(size: PixelSize(width: 32, height: 32))
  let background = image.dominantColor()
  return ([placeholder, soft], background)
}
