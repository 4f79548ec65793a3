internal import Testing

@testable internal import CellophaneImages
internal import TestSupport

@Suite("Metadata copied to encoded images")
struct ImageMetadataTests {
  static let p3 = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes

  private func metadata(of bytes: [UInt8]) throws -> ImageMetadata {
    ImageMetadata(of: bytes, header: try ImageDecoder().header(of: bytes))
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
      for (format, encoding) in [(.png, .png), (.jpeg, .jpeg())] as [(ImageFormat, Image.Encoding)] {
        let plain = try image.encoded(as: encoding)
        let tagged = found.added(to: plain, format)
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
    for (format, encoding) in [(.png, .png), (.jpeg, .jpeg())] as [(ImageFormat, Image.Encoding)] {
      let tagged = found.added(to: try noise(4, 4, seed: 1).encoded(as: encoding), format)
      #expect(try ImageDecoder().header(of: tagged).orientation == .up)
      #expect(try metadata(of: tagged) == found)
    }
  }

  @Test func `a profile of sRGB is not copied with the colors only`() throws {
    for file in try files(with: Self.p3) {
      let colors = ImageMetadata.colors(of: file, header: try ImageDecoder().header(of: file))
      #expect(colors == ImageMetadata(profile: Self.p3))
    }
    for file in try files(with: ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBCurve).bytes) {
      #expect(
        ImageMetadata.colors(of: file, header: try ImageDecoder().header(of: file)) == ImageMetadata())
    }
  }

  @Test func `a profile that is not RGB and EXIF that exceeds a JPEG segment are omitted`() throws {
    var gray = ICCWriter(tags: [("kTRC", ICCWriter.gamma(1.8))])
    gray.space = "GRAY"
    for file in try files(with: gray.bytes) { #expect(try metadata(of: file).profile == nil) }
    let jpeg = try noise(4, 4, seed: 1).encoded(as: .jpeg())
    #expect(ImageMetadata(exif: [UInt8](repeating: 7, count: 65_527)).added(to: jpeg, .jpeg).count > 65_527)
    #expect(ImageMetadata(exif: [UInt8](repeating: 7, count: 65_528)).added(to: jpeg, .jpeg) == jpeg)
  }
}
