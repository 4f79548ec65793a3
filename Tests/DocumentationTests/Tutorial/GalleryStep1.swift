internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Tutorials/Code, step 1.

extension Image {
  /// The image as lines of text. A character shows two pixels, one above the other.
  func lines() -> [String] {
    stride(from: 0, to: height, by: 2).map { y in
      let characters = (0..<width).map { x in
        let upper = self[x, y]
        let lower = self[x, min(y + 1, height - 1)]
        return "\u{1B}[38;2;\(upper.red);\(upper.green);\(upper.blue)m"
          + "\u{1B}[48;2;\(lower.red);\(lower.green);\(lower.blue)m▀"
      }
      return characters.joined() + "\u{1B}[0m"
    }
  }
}

enum GalleryStep1 {
  static func main() async throws {
    let bytes = ByteLoader(transport: CurlTransport())
    let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

    let request = try ImageRequest(
      "http://127.0.0.1:8080/row/0.png", size: PixelSize(width: 32, height: 32))
    let loaded = try await images.load(request)
    for line in loaded.value.lines() { print(line) }
  }
}
