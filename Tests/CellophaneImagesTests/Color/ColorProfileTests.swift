internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct ColorProfileTests {
  private let png: [UInt8]
  private let jpeg: [UInt8]

  init() throws {
    let image = try noise(5, 3, seed: 4)
    (png, jpeg) = (try image.encoded(as: .png), try image.encoded(as: .jpeg()))
  }

  private func profile(_ bytes: [UInt8]) throws -> ColorProfile { try ImageDecoder().colorProfile(of: bytes) }

  private func profile(icc: ICCWriter) throws -> ColorProfile {
    let inPNG = try profile(colored(png: png, [("iCCP", iccp(icc.bytes))]))
    #expect(try profile(colored(jpeg: jpeg, app2(icc.bytes, size: 100))) == inPNG)
    return inPNG
  }

  @Test(
    "color spaces are recognized by their content",
    arguments: [
      ("sRGB", KnownColors.sRGB, KnownColors.sRGBCurve, true, false),
      ("sRGB", KnownColors.sRGB, KnownColors.sRGBTable, true, false),
      ("sRGB", KnownColors.sRGB.map { $0 + 0.0015 }, KnownColors.sRGBCurve, true, false),
      ("mine", KnownColors.sRGB.map { $0 + 0.003 }, KnownColors.sRGBCurve, false, false),
      ("mine", KnownColors.sRGB, ICCWriter.gamma(2.2), false, false),
      ("mine", KnownColors.sRGB, ICCWriter.gamma(1), false, false),
      ("mine", KnownColors.sRGB, ICCWriter.table([]), false, false),
      ("Display P3", KnownColors.p3, KnownColors.sRGBCurve, false, true),
      ("Adobe RGB", KnownColors.adobe, ICCWriter.gamma(563 / 256), false, true),
      ("Adobe RGB", KnownColors.adobe, ICCWriter.parametric(0, [2.2]), false, true),
      (
        "ProPhoto RGB", KnownColors.proPhoto, ICCWriter.parametric(3, [1.8, 1, 0, 1 / 16.0, 1 / 32.0]), false,
        true
      ),
      ("Rec. 2020", KnownColors.bt2020, KnownColors.bt709Curve, false, true),
      ("mine", KnownColors.p3, ICCWriter.gamma(1), false, true),
      ("mine", Array(repeating: 0.2, count: 9), KnownColors.sRGBCurve, false, false),
    ] as [(String, [Double], [UInt8], Bool, Bool)])
  func known(name: String, primaries: [Double], curve: [UInt8], isSRGB: Bool, isWide: Bool) throws {
    let found = try profile(
      icc: .rgb(primaries, curve, more: [("desc", ICCWriter.localized([("en", "mine")]))]))
    #expect(found.name == name && found.isSRGB == isSRGB && found.isWideGamut == isWide, "\(found)")
    #expect(found.source == .icc && found.space == .rgb)
  }

  @Test func `a name does not make a profile sRGB`() throws {
    let named = [(name: "desc", content: ICCWriter.plain("sRGB IEC61966-2.1"))]
    let wide = try profile(icc: .rgb(KnownColors.p3, ICCWriter.gamma(2.6), more: named))
    #expect(wide.name == "sRGB IEC61966-2.1" && !wide.isSRGB && wide.isWideGamut)
    // Tables have precedence over primaries and curves.
    let tables = named + [(name: "A2B0", content: [0, 0])]
    #expect(try !profile(icc: .rgb(KnownColors.sRGB, KnownColors.sRGBCurve, more: tables)).isSRGB)
    #expect(try profile(icc: .rgb(KnownColors.sRGB, KnownColors.sRGBCurve)).isSRGB)
    for (count, isSRGB) in [(32_767, true), (32_768, false)] {
      let long = ICCWriter.rgb(KnownColors.sRGB, KnownColors.sRGBTable(of: count)).bytes
      #expect(try profile(colored(png: png, [("iCCP", iccp(long))])).isSRGB == isSRGB)
    }
  }

  @Test(
    "names are in English if available, and safe to print",
    arguments: [
      (ICCWriter.localized([("de", "Bildschirm"), ("en", "Screen")]), "Screen"),
      (ICCWriter.localized([("de", "Bildschirm")]), "Bildschirm"),
      (ICCWriter.plain("Screen"), "Screen"),
      (ICCWriter.plain(" a\u{1B}[31m\nb\u{7F} "), "a[31mb"),
      (ICCWriter.localized([("en", "a\u{202E}b\u{2028}c\0d")]), "abc"),
      (ICCWriter.plain(String(repeating: "x", count: 500)), String(repeating: "x", count: 80)),
      (ICCWriter.localized([("en", String(repeating: "é", count: 500))]), String(repeating: "é", count: 80)),
      (ICCWriter.plain(""), ""), (ICCWriter.localized([]), ""), (Array("desc".utf8), ""), ([], ""),
    ] as [([UInt8], String)])
  func names(tag: [UInt8], name: String) throws {
    let found = try profile(icc: .rgb(KnownColors.sRGB, ICCWriter.gamma(1), more: [("desc", tag)]))
    #expect(found.name == name)
  }

  @Test func `the color chunks of a PNG have an order of precedence`() throws {
    let wide = iccp(ICCWriter.rgb(KnownColors.adobe, ICCWriter.gamma(2.2)).bytes)
    let p3 = [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]
    let chunks: [(chunk: (String, [UInt8]), source: ColorProfile.Source, name: String)] = [
      (("cICP", [9, 16, 0, 1]), .codePoints, "Rec. 2100 PQ"), (("iCCP", wide), .icc, "Adobe RGB"),
      (("sRGB", [0]), .mark, "sRGB"), (("cHRM", chrm(p3)), .chromaticities, "Display P3"),
    ]
    for first in chunks.indices {
      let found = try profile(colored(png: png, chunks[first...].reversed().map(\.chunk)))
      #expect(found.source == chunks[first].source && found.name == chunks[first].name, "\(found)")
      // An unusable chunk is skipped.
      let damaged = chunks[first...].map { ($0.chunk.0, Array($0.chunk.1.dropLast())) }
      let withDamage = [damaged[0]] + chunks[(first + 1)...].map(\.chunk)
      let next = first + 1 < chunks.count ? chunks[first + 1].source : .none
      #expect(try profile(colored(png: png, withDamage)).source == next)
    }
    let onlyGamma = try profile(colored(png: png, [("gAMA", gama(1 / 1.8))]))
    #expect(try onlyGamma == profile(png) && onlyGamma.isSRGB && onlyGamma.source == .none)
    let late = Array(png.dropLast(12)) + pngChunk("sRGB", [0]) + png.suffix(12)
    #expect(try profile(late).source == .none)
  }

  @Test(
    "cICP declares color spaces by code points",
    arguments: [
      ([1, 13, 0, 1], "sRGB", true, false), ([12, 13, 0, 1], "Display P3", false, true),
      ([9, 1, 0, 1], "Rec. 2020", false, true), ([9, 18, 0, 1], "Rec. 2100 HLG", false, true),
      ([1, 8, 0, 1], "", false, false), ([5, 13, 0, 1], "", false, false), ([11, 4, 0, 1], "", false, true),
    ] as [([UInt8], String, Bool, Bool)])
  func codePoints(_ content: [UInt8], name: String, isSRGB: Bool, isWide: Bool) throws {
    let found = try profile(colored(png: png, [("cICP", content)]))
    #expect(found.name == name && found.isSRGB == isSRGB && found.isWideGamut == isWide, "\(found)")
    for wrong in [
      [content[0], content[1], 1, 1], [content[0], content[1], 0, 0], [2, 2, 0, 1], content + [0],
    ] {
      #expect(try profile(colored(png: png, [("cICP", wrong)])).source == .none)
    }
  }

  @Test(
    "cHRM and gAMA declare color spaces by primaries and gamma",
    arguments: [
      ([0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06], nil, "sRGB"),
      ([0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06], 0.45455, "sRGB"),
      ([0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06], 0.55, ""),
      ([0.3127, 0.3290, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06], 0.45470, "Adobe RGB"),
      ([0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060], nil, "Display P3"),
      ([0.3457, 0.3585, 0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001], 1 / 1.8, "ProPhoto RGB"),
      ([0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046], 1 / 2.2, ""),
    ] as [([Double], Double?, String)])
  func chromaticities(points: [Double], gamma: Double?, name: String) throws {
    let chunks = [("cHRM", chrm(points))] + (gamma.map { [("gAMA", gama($0))] } ?? [])
    let found = try profile(colored(png: png, chunks))
    #expect(
      found.name == name && found.source == .chromaticities && found.isSRGB == (name == "sRGB"), "\(found)")
  }

  @Test(
    "primaries that span no space count as missing",
    arguments: [
      Array(repeating: 0.3, count: 8), Array(repeating: 0, count: 8), [0.3, 0, 0.6, 0.3, 0.3, 0.6, 0.1, 0.1],
      [0.3, 0.3, 0.1, 0.1, 0.2, 0.2, 0.4, 0.4], [],
    ] as [[Double]])
  func unusableChromaticities(points: [Double]) throws {
    #expect(try profile(colored(png: png, [("cHRM", chrm(points)), ("gAMA", gama(0.4))])).source == .none)
  }

  @Test func `the parts of a profile may be in any order`() throws {
    let icc = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBTable).bytes
    let parts = app2(icc, size: 700)
    try #require(parts.count > 3)
    let wide = try profile(colored(jpeg: jpeg, parts))
    #expect(wide.name == "Display P3" && wide.source == .icc && wide.isWideGamut)
    #expect(try profile(colored(jpeg: jpeg, parts.reversed())) == wide)
    let other: (UInt8, [UInt8]) = (0xE2, Array("MPF\0".utf8))
    #expect(try profile(colored(jpeg: jpeg, [other] + parts + [other])) == wide)

    var misnumbered = parts
    misnumbered[1].1[13] += 1
    var zero = parts
    zero[0].1[12] = 0
    let unusable: [[(UInt8, [UInt8])]] = [
      Array(parts.dropLast()), Array(parts.dropFirst()), parts + [parts[0]], misnumbered, zero,
      parts + [(0xE2, Array("ICC_PROFILE\0".utf8))],
    ]
    for blocks in unusable {
      let found = try profile(colored(jpeg: jpeg, blocks))
      #expect(try found == profile(jpeg) && found.source == .none && found.isSRGB)
    }
  }

  @Test(arguments: [true, false])
  func `EXIF declares sRGB or Adobe RGB`(bigEndian: Bool) throws {
    for (space, index, name) in [
      (1, "R98", "sRGB"), (1, nil, "sRGB"), (0xFFFF, "R03", "Adobe RGB"), (0xFFFF, "R98", ""),
      (0xFFFF, nil, ""),
      (2, "R03", ""),
    ] as [(UInt16, String?, String)] {
      let block = exif(colorSpace: space, index: index, bigEndian: bigEndian)
      let found = try profile(colored(jpeg: jpeg, [block]))
      #expect(found.name == name && found.source == (name.isEmpty ? .none : .exif), "\(space) \(index ?? "")")
      let p3 = app2(ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes)
      #expect(try profile(colored(jpeg: jpeg, [block] + p3)).name == "Display P3")
    }
  }

  @Test func `a profile must match the color model`() throws {
    let gray = try #require(PictureFixture.jpeg.first { $0.name == "progressive gray" }).bytes
    let inks = try #require(PictureFixture.jpeg.first { $0.name.contains("CMYK") }).bytes
    let rgb = app2(ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes)
    let light = app2(ICCWriter(space: "GRAY", tags: [("kTRC", ICCWriter.gamma(1.8))]).bytes)
    let even = app2(ICCWriter(space: "GRAY", tags: [("kTRC", KnownColors.sRGBCurve)]).bytes)
    let ink = app2(
      ICCWriter(space: "CMYK", kind: "prtr", tags: [("desc", ICCWriter.plain("Coated"))]).bytes)
    let lab = app2(ICCWriter(space: "Lab ").bytes)
    let link = app2(ICCWriter(kind: "link").bytes)
    for (file, blocks, source, space, isSRGB) in [
      (jpeg, [], .none, .rgb, true), (jpeg, light, .none, .rgb, true), (jpeg, ink, .none, .rgb, true),
      (jpeg, lab, .none, .rgb, true), (jpeg, link, .none, .rgb, true),
      (gray, [], .none, .gray, true), (gray, light, .icc, .gray, false), (gray, even, .icc, .gray, true),
      (gray, rgb, .icc, .rgb, false), (gray, ink, .none, .gray, true),
      (inks, [], .none, .cmyk, false), (inks, rgb, .none, .cmyk, false), (inks, ink, .icc, .cmyk, false),
    ] as [([UInt8], [(UInt8, [UInt8])], ColorProfile.Source, ColorProfile.Space, Bool)] {
      let found = try profile(colored(jpeg: file, blocks))
      #expect(found.source == source && found.space == space && found.isSRGB == isSRGB, "\(found)")
    }
    #expect(try profile(colored(jpeg: inks, ink)).name == "Coated")
  }

  @Test func `data that is not an image has no profile`() {
    #expect(throws: LoadError.self) { try profile(Array("GIF89a".utf8)) }
  }
}
