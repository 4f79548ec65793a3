internal import Testing

@testable internal import CellophaneImages
internal import TestSupport

@Suite("Metadata copied to encoded images")
struct ImageMetadataTests {
  static let p3 = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes

  /// Returns the metadata of `bytes` that is valid for their decoded pixels.
  private func metadata(of bytes: [UInt8]) throws -> ImageMetadata {
    try ImageMetadata(
      of: bytes, header: try ImageDecoder().header(of: bytes),
      image: try ImageDecoder().decode(bytes, options: ImageOptions()))
  }

  /// Returns image files with a profile in both formats.
  private func files(with profile: [UInt8]) throws -> [[UInt8]] {
    let image = try noise(6, 4, seed: 3)
    return [
      colored(jpeg: try image.encoded(as: .jpeg()), app2(profile, size: 30_000)),
      colored(png: try image.encoded(as: .png), [("iCCP", iccp(profile))]),
    ]
  }

  @Test(arguments: [0, 70_000, 1_000_000])
  func `a profile is copied between all formats`(more: Int) throws {
    let profile = ICCWriter.rgb(
      KnownColors.p3, KnownColors.sRGBCurve,
      more: [("junk", (0..<more).map { UInt8(truncatingIfNeeded: $0 * 7) })]
    ).bytes
    let image = try noise(9, 5, seed: 2)
    for file in try files(with: profile) {
      let found = try metadata(of: file)
      #expect(found.profile == profile && found.exif == nil)
      for encoding in [.png, .jpeg()] as [Image.Encoding] {
        let plain = try image.encoded(as: encoding)
        let tagged = try image.encoded(as: encoding, found)
        #expect(try metadata(of: tagged) == found)
        #expect(try ImageDecoder().colorProfile(of: tagged).name == "Display P3")
        let pixels = try ImageDecoder().decode(tagged, options: ImageOptions()).pixels
        #expect(try pixels == ImageDecoder().decode(plain, options: ImageOptions()).pixels)
      }
    }
  }

  @Test(
    "EXIF is copied with the orientation set to upright",
    arguments: ["6-big.jpg", "6-little.jpg", "3-big.png", "8-little.png"])
  func orientation(name: String) throws {
    let file = try Corpus.bytes(of: "turned/" + name)
    #expect(try ImageDecoder().header(of: file).orientation != .up)
    let found = try metadata(of: file)
    #expect(found.exif != nil)
    for encoding in [.png, .jpeg()] as [Image.Encoding] {
      let tagged = try noise(4, 4, seed: 1).encoded(as: encoding, found)
      #expect(try ImageDecoder().header(of: tagged).orientation == .up)
      #expect(try metadata(of: tagged) == found)
    }
  }

  @Test func `a profile of sRGB is copied only with all metadata`() throws {
    let profile = ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBCurve).bytes
    for file in try files(with: profile) {
      let image = try ImageDecoder().decode(file, options: ImageOptions())
      #expect(image.colorProfile == nil && ImageMetadata(of: image) == ImageMetadata())
      #expect(try metadata(of: file) == ImageMetadata(profile: profile))
    }
    for file in try files(with: Self.p3) {
      let image = try ImageDecoder().decode(file, options: ImageOptions())
      #expect(ImageMetadata(of: image) == ImageMetadata(profile: Self.p3))
      // Pixels that were converted.
      let converted = try Image(width: image.width, height: image.height, pixels: image.pixels)
      let header = try ImageDecoder().header(of: file)
      #expect(try ImageMetadata(of: file, header: header, image: converted) == ImageMetadata())
    }
  }

  @Test func `EXIF that exceeds a JPEG segment is omitted`() {
    #expect(ImageMetadata(exif: [UInt8](repeating: 7, count: 65_527)).jpegParts.count == 65_537)
    #expect(ImageMetadata(exif: [UInt8](repeating: 7, count: 65_528)).jpegParts == [])
  }

  @Test(arguments: Orientation.allCases)
  func `pixels that are not upright keep their orientation`(_ orientation: Orientation) throws {
    let image = try Image(
      width: 6, height: 4, pixels: noise(6, 4, seed: 1).pixels, orientation: orientation)
    for encoding in [.png, .jpeg()] as [Image.Encoding] {
      let file = try image.encoded(as: encoding)
      #expect(try file == image.encoded(as: encoding, ImageMetadata(of: image)))
      let header = try ImageDecoder().header(of: file)
      #expect(header.orientation == orientation && header.size == PixelSize(width: 6, height: 4))
      let stored = try ImageDecoder().decode(file, options: ImageOptions(appliesOrientation: false))
      let upright = try ImageDecoder().decode(file, options: ImageOptions())
      #expect(stored.orientation == orientation && stored.width == 6)
      #expect(upright.orientation == .up && upright.width == (orientation.swapsSides ? 4 : 6))
      // Pieces of one byte, and pixels encoded again.
      let options = ImageOptions(appliesOrientation: false)
      #expect(try fed(file, cutAt: Array(1..<file.count), options: options) == stored)
      #expect(try ImageDecoder().header(of: stored.encoded(as: .png)).orientation == orientation)
    }
  }

  @Test func `an orientation that follows the pixels of a PNG is kept`() throws {
    let png = try Image(width: 6, height: 4, pixels: noise(6, 4, seed: 1).pixels).encoded(as: .png)
    let exif = pngChunk("eXIf", [77, 77, 0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0])
    let file = Array(png.dropLast(12)) + exif + png.suffix(12)
    let options = ImageOptions(appliesOrientation: false)
    for seed in 1...5 as ClosedRange<UInt64> {
      let image = try fed(file, cutAt: randomCuts(file, count: 5, seed: seed), options: options)
      #expect(image.orientation == .right && image.width == 6)
    }
  }
}
