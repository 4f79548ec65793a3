internal import Testing

@testable internal import Cellophane
internal import TestSupport

@Suite("Metadata of pictures that are made of others")
struct PictureMetadataTests {
  static let p3 = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes

  private func metadata(of bytes: [UInt8]) throws -> PictureMetadata {
    PictureMetadata(of: bytes, header: try ImageDecoder().header(of: bytes))
  }

  /// Pictures in both formats with a profile, made of the format's parts.
  private func files(with profile: [UInt8]) throws -> [[UInt8]] {
    let image = try noise(6, 4, seed: 3)
    return [
      colored(jpeg: try image.encoded(as: .jpeg()), app2(profile, size: 30_000)),
      colored(png: try image.encoded(as: .png), [("iCCP", iccp(profile))]),
    ]
  }

  @Test(arguments: [0, 70_000, 1_000_000])
  func `a profile goes over from either format to either`(more: Int) throws {
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
        let told = found.added(to: plain, format)
        #expect(try metadata(of: told) == found)
        #expect(try ImageDecoder().colorProfile(of: told).name == "Display P3")
        let pixels = try ImageDecoder().decode(told, options: ImageOptions()).pixels
        #expect(try pixels == ImageDecoder().decode(plain, options: ImageOptions()).pixels)
      }
    }
  }

  @Test(
    "EXIF goes over, with the picture upright",
    arguments: ["6-big.jpg", "6-little.jpg", "3-big.png", "8-little.png"])
  func orientation(name: String) throws {
    let file = try Corpus.bytes(of: "turned/" + name)
    #expect(try ImageDecoder().header(of: file).orientation != .up)
    let found = try metadata(of: file)
    #expect(found.exif != nil)
    for (format, encoding) in [(.png, .png), (.jpeg, .jpeg())] as [(ImageFormat, Image.Encoding)] {
      let told = found.added(to: try noise(4, 4, seed: 1).encoded(as: encoding), format)
      #expect(try ImageDecoder().header(of: told).orientation == .up)
      #expect(try metadata(of: told) == found)
    }
  }

  @Test func `of colours alone, those of sRGB need no words`() throws {
    for file in try files(with: Self.p3) {
      let colors = PictureMetadata.colors(of: file, header: try ImageDecoder().header(of: file))
      #expect(colors == PictureMetadata(profile: Self.p3))
    }
    for file in try files(with: ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBCurve).bytes) {
      #expect(
        PictureMetadata.colors(of: file, header: try ImageDecoder().header(of: file)) == PictureMetadata())
    }
  }

  @Test func `what does not fit red, green and blue, or a JPEG's block, is left out`() throws {
    var gray = ICCWriter(tags: [("kTRC", ICCWriter.gamma(1.8))])
    gray.space = "GRAY"
    for file in try files(with: gray.bytes) { #expect(try metadata(of: file).profile == nil) }
    let jpeg = try noise(4, 4, seed: 1).encoded(as: .jpeg())
    #expect(PictureMetadata(exif: [UInt8](repeating: 7, count: 65_527)).added(to: jpeg, .jpeg).count > 65_527)
    #expect(PictureMetadata(exif: [UInt8](repeating: 7, count: 65_528)).added(to: jpeg, .jpeg) == jpeg)
  }
}
