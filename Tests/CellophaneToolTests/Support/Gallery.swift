internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting

/// Returns an image of one color, or with a red right half.
func testImage(_ width: Int, _ height: Int, halved: Bool = false) throws -> Image {
  let pixels = (0..<width * height).flatMap { index -> [UInt8] in
    halved && index % width >= width / 2 ? [200, 10, 10, 255] : [10, 120, UInt8(width % 256), 128]
  }
  return try Image(width: width, height: height, pixels: pixels)
}

extension TestOrigin {
  /// The body of `/gzip` after content decoding.
  static let decodedGzip = "hello, list\n"
  private static let gzip: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 201, 44, 46, 225, 2, 0,
    68, 53, 35, 228, 12, 0, 0, 0,
  ]

  /// Returns an origin with images and other content. `/W.png` and `/W.jpg` are W pixels wide.
  static func gallery() throws -> TestOrigin {
    try TestOrigin { request in
      let fresh: HeaderFields = ["cache-control": "max-age=3600"]
      switch request.path {
      case "/text": return OriginResponse(headers: ["content-type": "text/plain"], body: Array("hello".utf8))
      case "/gzip": return OriginResponse(headers: ["content-encoding": "gzip"], body: gzip)
      case "/large": return OriginResponse(body: [UInt8](repeating: 7, count: 2_000))
      case "/empty": return OriginResponse(headers: fresh)
      case "/no-content": return OriginResponse(status: 204, headers: fresh)
      case "/hangs":
        var response = OriginResponse()
        response.ending = .silent
        return response
      default:
        let parts = request.path.dropFirst().split(separator: ".")
        guard parts.count == 2, let width = Int(parts[0]),
          let body = try? testImage(width, 8).encoded(as: parts[1] == "png" ? .png : .jpeg(quality: 90))
        else { return OriginResponse(status: 404) }
        return OriginResponse(headers: fresh, body: body)
      }
    }
  }
}
