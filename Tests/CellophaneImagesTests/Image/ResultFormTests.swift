@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite("The form of images on disk")
struct ResultFormTests {
  private static let files = PictureFixture.png.filter { ["rgb 8", "rgba 8"].contains($0.name) }
  private static let options = ImageOptions(targetSize: PixelSize(width: 10, height: 10), mode: .fill)

  @Test("names of built-in processors differ by each parameter, and stay the same")
  func names() {
    let pixel = Image.Pixel(red: 1, green: 2, blue: 3, alpha: 4)
    let size = PixelSize(width: 3, height: 4)
    let processors: [(ImageProcessing, String)] = [
      (.resize(to: size), "resize(3x4 fit area false)"),
      (
        .resize(to: size, mode: .fill, filter: .lanczos3, enlarges: true), "resize(3x4 fill lanczos3 true)"
      ),
      (.crop(x: 1, y: 2, width: 3, height: 4), "crop(1 2 3 4)"),
      (.crop(toAspectRatioOf: size), "aspect(3x4)"),
      (.border(width: 2, color: pixel), "border(2 SIMD4<UInt8>(1, 2, 3, 4))"),
      (.roundedCorners(radius: 1.5), "corners(1.5)"), (.circle, "circle"), (.blur(radius: 2), "blur(2.0)"),
      (.grayscale, "grayscale"), (.tint(pixel), "tint(SIMD4<UInt8>(1, 2, 3, 4))"),
    ]
    for (processor, name) in processors {
      #expect(processor.identifier?.hasSuffix("Processor \(name)") == true)
    }
    let options = ImageOptions(targetSize: size, mode: .exact)
    #expect(
      ImageDecoder().resultForm(options: options)?.name.hasPrefix("7:image 13:3x45:exact4:area0:0:") == true)
  }

  @Test("damaged bytes are no result", arguments: 0..<20)
  func damage(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let form = try #require(ImageDecoder().resultForm(options: Self.options))
    let image = try ImageDecoder().decode(Self.files[seed % Self.files.count].bytes, options: Self.options)
    let bytes = try #require(form.encode(image))
    #expect(form.decode(bytes) == image)
    for _ in 0..<100 {
      var damaged = bytes
      damaged[Int.random(in: 0..<13, using: &random)] = UInt8.random(in: 0...255, using: &random)
      if Bool.random(using: &random) { damaged.removeLast(Int.random(in: 1..<damaged.count, using: &random)) }
      _ = form.decode(damaged)
    }
    #expect(form.decode([]) == nil && form.decode(Array(bytes.dropLast())) == nil)
  }

  @Test("colors and orientation are kept")
  func properties() throws {
    let form = try #require(ImageDecoder().resultForm(options: Self.options))
    let profile = ColorProfile(icc: try #require(ColorReference.named("Display P3")?.profile))
    let image = try Image(
      width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8], colorProfile: profile, orientation: .right)
    #expect(form.encode(image).flatMap(form.decode) == image)
  }
}
