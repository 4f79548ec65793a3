internal import Testing

@testable internal import CellophaneImages
internal import TestSupport

@Suite("Images without their metadata")
struct MetadataStripperTests {
  private static let decodable = Corpus.shared.files.filter { $0.error == nil }
  private static let secret = Array("51.5072N 0.1276W".utf8)

  private func stripped(_ bytes: [UInt8]) throws -> [UInt8] {
    try MetadataStripper.stripped(bytes, header: try ImageDecoder().header(of: bytes))
  }

  /// Returns true if `bytes` contain the private location.
  private func containsSecret(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(Self.secret.count - 1).contains {
      bytes[$0] == Self.secret[0] && bytes[$0..<$0 + Self.secret.count].elementsEqual(Self.secret)
    }
  }

  @Test func `every image of the corpus keeps its pixels, colors and orientation`() throws {
    let decoder = ImageDecoder()
    #expect(Self.decodable.count > 300)
    for file in Self.decodable {
      let bytes = try Corpus.bytes(of: file.file)
      let stripped = try stripped(bytes)
      let (header, former) = (try decoder.header(of: stripped), try decoder.header(of: bytes))
      #expect(header == former, "\(file)")
      #expect(try decoder.colorProfile(of: stripped) == decoder.colorProfile(of: bytes), "\(file)")
      let (image, original) = (
        try decoder.decode(stripped, options: ImageOptions()),
        try decoder.decode(bytes, options: ImageOptions())
      )
      #expect(image.pixels == original.pixels, "\(file)")
      #expect(try self.stripped(stripped) == stripped, "\(file)")
    }
  }

  @Test func `metadata of a JPEG is removed`() throws {
    let jpeg = try noise(20, 9, seed: 1).encoded(as: .jpeg())
    let p3 = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes
    let plain = colored(jpeg: jpeg, app2(p3))
    for (marker, start) in [
      (0xE1, "Exif\0\0"), (0xE1, "http://ns.adobe.com/xap/1.0/\0"), (0xED, "Photoshop 3.0\0"), (0xFE, ""),
      (0xE2, "MPF\0"), (0xE0, "JFXX\0"), (0xEF, ""),
    ] as [(UInt8, String)] {
      let tagged = colored(jpeg: plain, [(marker, Array(start.utf8) + Self.secret)]) + plain + Self.secret
      #expect(containsSecret(tagged))
      #expect(try stripped(tagged) == stripped(plain), "\(start)")
    }
    #expect(try ImageDecoder().colorProfile(of: stripped(plain)).name == "Display P3")
  }

  @Test func `metadata of a PNG is removed`() throws {
    let png = try noise(20, 9, seed: 1).encoded(as: .png)
    let colors = ("iCCP", iccp(ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes))
    let plain = colored(png: png, [colors])
    for name in ["tEXt", "zTXt", "iTXt", "tIME", "eXIf", "prVt"] {
      let tagged = colored(png: png, [colors, (name, Self.secret)]) + Self.secret
      #expect(containsSecret(tagged))
      #expect(try stripped(tagged) == plain, "\(name)")
    }
  }

  @Test func `Adobe RGB declared only by EXIF is kept`() throws {
    let jpeg = try noise(20, 9, seed: 1).encoded(as: .jpeg())
    let tagged = colored(jpeg: jpeg, [exif(colorSpace: 0xFFFF, index: "R03", bigEndian: false)])
    let profile = try ImageDecoder().colorProfile(of: stripped(tagged))
    #expect(profile.source == .exif && profile.name == "Adobe RGB", "\(profile)")
    let plain = colored(jpeg: jpeg, [exif(colorSpace: 1, index: nil, bigEndian: false)])
    #expect(try stripped(plain) == jpeg)
  }

  @Test("a file truncated or damaged at any position is stripped without a crash")
  func damaged() throws {
    var random = SplitMix64(seed: 7)
    for kind in ["turned/6-big.jpg", "turned/6-big.png"] {
      let bytes = try Corpus.bytes(of: kind)
      let header = try ImageDecoder().header(of: bytes)
      let image = try ImageDecoder().decode(bytes, options: ImageOptions())
      for end in 0..<min(bytes.count, 2_000) {
        #expect(try MetadataStripper.stripped(Array(bytes[..<end]), header: header).count <= end + 60)
      }
      for _ in 0..<2_000 {
        var damaged = bytes
        for _ in 0..<4 { damaged[Int(random.next() % UInt64(bytes.count))] = UInt8(random.next() & 0xFF) }
        #expect(try MetadataStripper.stripped(damaged, header: header).count <= bytes.count + 60)
        let metadata = try ImageMetadata(of: damaged, header: header, image: image)
        #expect((header.format == .png ? metadata.pngParts : metadata.jpegParts).count <= bytes.count + 60)
      }
    }
  }
}
