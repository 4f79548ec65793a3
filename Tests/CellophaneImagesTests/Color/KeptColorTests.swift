@testable internal import CellophaneImages
internal import TestSupport
internal import Testing

/// A kind of declaration, and the colors of the decoded and encoded image.
struct KeptColor: Sendable, CustomStringConvertible {
  let description: String
  let file: [UInt8]
  /// The name of the color space; nil if the image is sRGB or cannot declare its colors.
  let name: String?
  /// The embedded profile, if the encoded file must have the same.
  var profile: [UInt8]?
  var warnings: [ImageWarning] = []
  /// True if only a PNG can declare the colors.
  var isOnlyPNG = false

  private static let pixels = (try? noise(12, 9, seed: 6)) ?? blank
  private static let blank = Image(size: PixelSize(width: 0, height: 0), validatedPixels: [])
  private static let png = (try? pixels.encoded(as: .png)) ?? []
  private static let jpeg = (try? pixels.encoded(as: .jpeg(quality: 95))) ?? []

  /// The file of a PNG or JPEG with this profile.
  private static func both(
    _ text: String, _ profile: [UInt8], name: String?, isKept: Bool = true, warnings: [ImageWarning] = []
  ) -> [KeptColor] {
    [colored(png: png, [("iCCP", iccp(profile))]), colored(jpeg: jpeg, app2(profile, size: 700))].map {
      KeptColor(
        description: text, file: $0, name: name, profile: isKept ? profile : nil, warnings: warnings)
    }
  }

  private static func gray(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let rows = (0..<5).flatMap { y -> [UInt8] in [0] + (0..<7).map { UInt8($0 * 30 + y) } }
    return colored(png: PNGFile(color: 0, 7, 5, rows: rows).bytes, chunks)
  }

  private static func references() -> [KeptColor] {
    ColorReference.all.filter { !$0.name.contains("gray") }.flatMap { reference in
      let isKnown = ["Display P3", "Adobe RGB", "ProPhoto RGB"].contains(reference.name)
      return both(reference.name, reference.profile, name: isKnown ? reference.name : "test")
    }
  }

  static let all: [KeptColor] =
    references()
    + both("sRGB", ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBCurve).bytes, name: nil, isKept: false)
    + both(
      "a profile that is cut", Array((ColorReference.named("Display P3")?.profile ?? []).dropLast(9)),
      name: nil, isKept: false, warnings: [.damagedMetadata])
    + both("no profile", Array("no profile".utf8), name: nil, isKept: false, warnings: [.damagedMetadata])
    + both(
      "a CMYK profile for RGB", ICCWriter(space: "CMYK", kind: "prtr").bytes, name: nil, isKept: false,
      warnings: [.damagedMetadata])
    + [
      KeptColor(description: "a PNG without a declaration", file: png, name: nil),
      KeptColor(description: "a JPEG without a declaration", file: jpeg, name: nil),
      KeptColor(
        description: "cICP of Display P3", file: colored(png: png, [("cICP", [12, 13, 0, 1])]),
        name: "Display P3"),
      KeptColor(
        description: "cICP of PQ", file: colored(png: png, [("cICP", [9, 16, 0, 1])]), name: "Rec. 2100 PQ",
        isOnlyPNG: true),
      KeptColor(
        description: "cICP of HLG", file: colored(png: png, [("cICP", [9, 18, 0, 1])]), name: "Rec. 2100 HLG",
        isOnlyPNG: true),
      KeptColor(
        description: "chromaticities of Adobe RGB",
        file: colored(
          png: png,
          [("cHRM", chrm([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])), ("gAMA", gama(256 / 563))]),
        name: "Adobe RGB"),
      KeptColor(
        description: "a gamma that no profile can represent",
        file: colored(
          png: png,
          [("cHRM", chrm([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06])), ("gAMA", gama(0.00001))]),
        name: nil),
      KeptColor(
        description: "EXIF of Adobe RGB",
        file: colored(jpeg: jpeg, [exif(colorSpace: 0xFFFF, index: "R03", bigEndian: true)]),
        name: "Adobe RGB"),
      KeptColor(
        description: "gray with gamma 1.8",
        file: gray([("iCCP", iccp(ColorReference.named("gray with gamma 1.8")?.profile ?? []))]), name: "test"
      ),
      KeptColor(
        description: "gray of sRGB",
        file: gray([("iCCP", iccp(ICCWriter(space: "GRAY", tags: [("kTRC", KnownColors.sRGBTable)]).bytes))]),
        name: nil),
      KeptColor(
        description: "gray with an RGB profile",
        file: gray([("iCCP", iccp(ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes))]),
        name: "Display P3"),
      KeptColor(description: "CMYK with a profile", file: InkReference.all.first?.file ?? [], name: nil),
    ]
}

@Suite struct KeptColorTests {
  private let decoder = ImageDecoder()

  @Test(arguments: KeptColor.all)
  func `an image keeps its colors, and encoded files declare them`(_ color: KeptColor) throws {
    let image = try decoder.decode(color.file, options: ImageOptions())
    #expect(image.colorProfile?.name == color.name && image.warnings == color.warnings)
    if let profile = color.profile { #expect(image.colorProfile?.icc == profile) }
    #expect(decoder.cost(of: image) == image.pixels.count + (image.colorProfile?.icc?.count ?? 0))
    for encoding in [.png, .jpeg(quality: 95)] as [Image.Encoding] {
      let plain = try Image(width: image.width, height: image.height, pixels: image.pixels)
      let file = try image.encoded(as: encoding)
      let again = try decoder.decode(file, options: ImageOptions())
      #expect(try again.pixels == decoder.decode(plain.encoded(as: encoding), options: ImageOptions()).pixels)
      #expect(again.warnings.isEmpty)
      if color.isOnlyPNG, encoding != .png {
        #expect(try file == plain.encoded(as: encoding))
      } else {
        #expect(again.colorProfile?.name == color.name && again.colorProfile?.icc == image.colorProfile?.icc)
      }
    }
  }

  @Test(arguments: KeptColor.all)
  func `previews, partial, reduced and checked images have the same colors`(_ color: KeptColor) throws {
    let image = try decoder.decode(color.file, options: ImageOptions())
    let cuts = randomCuts(color.file, count: 8, seed: 4)
    let inPieces = try fed(color.file, cutAt: cuts) { _, _, preview in
      if let preview { #expect(preview.colorProfile == image.colorProfile) }
    }
    #expect(inPieces == image)
    let cut = Array(color.file.dropLast(60))
    if let partial = try? decoder.decode(cut, options: ImageOptions(allowsPartial: true)), partial.isPartial {
      #expect(partial.colorProfile == image.colorProfile)
    }
    let options = ImageOptions(targetSize: PixelSize(width: 3, height: 3), mode: .fill)
    #expect(try decoder.decode(color.file, options: options).colorProfile == image.colorProfile)
    var checking = ImageOptions()
    checking.discardsPixels = true
    #expect(try decoder.decode(color.file, options: checking).warnings == color.warnings)
  }

  #if ColorManagement
    @Test(arguments: KeptColor.all)
    func `an encoded file is converted like the original`(_ color: KeptColor) throws {
      var options = ImageOptions()
      options.convertsToSRGB = true
      let (kept, converted) = (
        try decoder.decode(color.file, options: ImageOptions()),
        try decoder.decode(color.file, options: options)
      )
      guard color.name != nil, !color.isOnlyPNG else { return }
      #expect(converted.colorProfile == nil)
      // Display P3 has the grays of sRGB.
      let hasGraysOfSRGB = color.description == "gray with an RGB profile"
      #expect((converted.pixels == kept.pixels) == hasGraysOfSRGB)
      let again = try decoder.decode(kept.encoded(as: .png), options: options)
      let largest = zip(again.pixels, converted.pixels).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
      #expect(largest <= 1)
    }
  #endif

  @Test func `pixels of another decoder keep their colors`() throws {
    let profile = try #require(ColorReference.named("Display P3")?.profile)
    let pixels = try noise(4, 4, seed: 1).pixels
    let image = try Image(width: 4, height: 4, pixels: pixels, colorProfile: ColorProfile(icc: profile))
    #expect(image.colorProfile?.name == "Display P3")
    #expect(try decoder.colorProfile(of: image.encoded(as: .jpeg())).icc == profile)
    #expect(ColorProfile(icc: Array(profile.dropLast())) == nil)
    #expect(ColorProfile(icc: ICCWriter(space: "CMYK").bytes) == nil && ColorProfile(icc: []) == nil)
  }
}
