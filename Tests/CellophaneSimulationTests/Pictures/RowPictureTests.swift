import Cellophane
import CellophaneTestOrigin
import TestSupport
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct RowPictureTests {
  static func image(_ row: Int, _ width: Int, _ height: Int, seed: UInt64 = 1) throws -> Image {
    let picture = RowPicture(row: row, size: PixelSize(width: width, height: height), seed: seed)
    return try Image(width: width, height: height, pixels: picture.pixels())
  }

  @Test(
    .thorough, arguments: [0, 1, 42, 499, 70_000],
    [
      (Image.Encoding.png, 320, 320, 320), (.png, 320, 320, 112), (.png, 320, 320, 48), (.png, 160, 240, 60),
      (.jpeg(quality: 80), 320, 320, 320), (.jpeg(quality: 80), 320, 320, 112),
      (.jpeg(quality: 80), 320, 320, 48),
      (.jpeg(quality: 30), 320, 320, 96), (.jpeg(quality: 80), 333, 211, 90),
    ] as [(Image.Encoding, Int, Int, Int)])
  func `the row is read from the pixels after compression and scaling`(
    row: Int, form: (encoding: Image.Encoding, width: Int, height: Int, target: Int)
  ) throws {
    let file = try Self.image(row, form.width, form.height).encoded(as: form.encoding)
    let options = ImageOptions(targetSize: PixelSize(width: form.target, height: form.target))
    let shown = try ImageDecoder().decode(file, options: options)
    #expect(PictureIdentity(readingRowFrom: shown) == .row(row))
  }

  @Test func `an image without a code, or too small for one, gives no row`() throws {
    let gray = try Image(width: 64, height: 64, pixels: Array(repeating: 128, count: 64 * 64 * 4))
    #expect(PictureIdentity(readingRowFrom: gray) == .unreadable)
    let dot = try Image(width: 1, height: 1, pixels: [0, 0, 0, 255])
    #expect(PictureIdentity(readingRowFrom: dot) == .unreadable)
  }

  @Test func `an image that is half drawn over another gives no row`() throws {
    let (one, other) = (try Self.image(6, 64, 64), try Self.image(9, 64, 64))
    let half = one.pixels.count / 2
    let torn = try Image(
      width: 64, height: 64, pixels: Array(one.pixels[..<half]) + Array(other.pixels[half...]))
    #expect(PictureIdentity(readingRowFrom: torn) == .unreadable)
  }

  @Test func `an image is a function of row, size and seed`() throws {
    #expect(try Self.image(5, 40, 40) == Self.image(5, 40, 40))
    #expect(try Self.image(5, 40, 40) != Self.image(6, 40, 40))
    #expect(try Self.image(5, 40, 40) != Self.image(5, 40, 40, seed: 2))
  }

  @Test func `images with a different pixel or shape have different hashes`() throws {
    let pixels = try Self.image(5, 40, 40).pixels
    func hash(_ width: Int, _ height: Int, _ pixels: [UInt8]) throws -> PictureIdentity {
      PictureIdentity(hashing: try Image(width: width, height: height, pixels: pixels))
    }
    let original = try hash(40, 40, pixels)
    #expect(try hash(40, 40, pixels) == original)
    #expect(try hash(20, 80, pixels) != original)
    for index in stride(from: 0, to: pixels.count, by: 997) {
      var changed = pixels
      changed[index] ^= 1
      #expect(try hash(40, 40, changed) != original)
    }
  }

  @Test func `files are as large as photographs, and the origin serves each only under its path`()
    async throws
  {
    let files = LazyPictureFiles(0..<4, of: SimulationConfiguration(time: .real))
    #expect((20_000...60_000).contains(files.meanBytes))
    let pictures = PictureOrigin(SimulationConfiguration(time: .real), hasThinkTime: false) {
      picture, _ throws(LoadError) in
      try files.file(of: picture)
    }
    let origin = try TestOrigin { pictures.answer($0.path, headers: $0.headers) }
    defer { origin.stop() }
    let transport = CurlTransport()
    for row in 0..<4 {
      let response = try await transport.exchange(
        TransportRequest(url: origin.url(PictureFiles.path(of: row))))
      #expect(response.headers["content-type"] == (row.isMultiple(of: 2) ? "image/png" : "image/jpeg"))
      let image = try ImageDecoder().decode(response.body, options: ImageOptions())
      #expect(PictureIdentity(readingRowFrom: image) == .row(row))
    }
    for path in ["/", "/row/4.png", "/row/0.jpg", "/row/-1.jpg", "/row/x.png", "/0.png"] {
      #expect(try await transport.exchange(TransportRequest(url: origin.url(path))).status == 404, "\(path)")
    }
    await transport.close()
  }
}
