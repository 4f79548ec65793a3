/// A bounds-checked reader of an ICC profile of version 2 or 4 (ICC.1:2022). Damaged or missing parts are
/// nil.
struct ICCProfile {
  /// The complete profile as embedded.
  let bytes: [UInt8]
  let space: ColorProfile.Space
  /// The rendering intent: 0 perceptual, 1 relative colorimetric, 2 saturation, 3 absolute colorimetric.
  let intent: Int
  private let view: ByteView
  private let tagCount: Int

  /// The maximum number of tags. 100: profiles have 10 to 30, and lcms2 has the same limit.
  private static let maxTags = 100

  /// Reads the header of a profile. Returns nil if `bytes` are not a profile for gray, RGB or CMYK images.
  init?(_ bytes: [UInt8]) {
    let view = ByteView(bytes)
    guard bytes.count <= DeclaredColorSpace.largestProfile, view.holds("acsp".utf8, at: 36),
      let size = view.number32(at: 0), size <= bytes.count,
      // The class of the profile: a camera or scanner, a screen, a printer, or a color space.
      ["scnr", "mntr", "prtr", "spac"].contains(where: { view.holds($0.utf8, at: 12) }),
      let intent = view.number16(at: 66),
      let tagCount = view.number32(at: 128), tagCount <= Self.maxTags
    else { return nil }
    if view.holds("RGB ".utf8, at: 16) {
      space = .rgb
    } else if view.holds("GRAY".utf8, at: 16) {
      space = .gray
    } else if view.holds("CMYK".utf8, at: 16) {
      space = .cmyk
    } else {
      return nil
    }
    self.bytes = bytes
    self.intent = intent
    self.view = view
    self.tagCount = tagCount
  }

  /// Returns the content of the first tag with this name.
  private func tag(_ name: String) -> ByteView? {
    for index in 0..<tagCount where view.holds(name.utf8, at: 132 + index * 12) {
      guard let offset = view.number32(at: 136 + index * 12), let size = view.number32(at: 140 + index * 12)
      else { return nil }
      return view.part(from: offset, length: size)
    }
    return nil
  }

  /// The space that primaries and curves define; nil for a profile with tables, which have precedence.
  var rgb: RGBSpace? {
    guard space == .rgb, !hasTables, let red = point("rXYZ"), let green = point("gXYZ"),
      let blue = point("bXYZ")
    else { return nil }
    let transfer = ["rTRC", "gTRC", "bTRC"].compactMap(curve)
    guard transfer.count == 3 else { return nil }
    return RGBSpace(Primaries(red: red, green: green, blue: blue), transfer)
  }

  /// The RGB space in which equal components have the colors of a gray profile; nil for a profile with tables.
  var gray: RGBSpace? {
    guard space == .gray, !hasTables, let curve = curve("kTRC") else { return nil }
    return RGBSpace(.sRGB, [curve, curve, curve])
  }

  private var hasTables: Bool {
    ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"].contains { tag($0) != nil }
  }

  private func point(_ name: String) -> SIMD3<Double>? {
    guard let tag = tag(name), tag.starts(with: "XYZ ".utf8), let x = tag.fixed(at: 8),
      let y = tag.fixed(at: 12), let z = tag.fixed(at: 16)
    else { return nil }
    return [x, y, z]
  }

  private func curve(_ name: String) -> TransferFunction? {
    tag(name).flatMap(TransferFunction.init(icc:))
  }
}

extension ICCProfile {
  /// The description in the profile, in English if available, safe to print; nil if it is empty or missing.
  var description: String? {
    guard let tag = tag("desc") else { return nil }
    let text: String?
    if tag.starts(with: "mluc".utf8) {
      text = Self.localized(tag)
    } else if tag.starts(with: "desc".utf8) {
      text = tag.number32(at: 8).flatMap { tag.part(from: 12, length: min($0, Self.longestName)) }
        .map { String(decoding: $0.copy.prefix { $0 != 0 }, as: UTF8.self) }
    } else {
      text = nil
    }
    return text.map(Self.printable).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The maximum length of a name in characters. 80: the width of a terminal, and longer than all known
  /// names.
  private static let longestName = 80

  private static func localized(_ tag: ByteView) -> String? {
    guard let count = tag.number32(at: 8), tag.number32(at: 12) == 12 else { return nil }
    // 100 languages are more than in any known profile.
    let records = (0..<min(count, 100)).compactMap { tag.part(from: 16 + $0 * 12, length: 12) }
    guard let record = records.first(where: { $0.starts(with: "en".utf8) }) ?? records.first,
      let length = record.number32(at: 4), let offset = record.number32(at: 8),
      let text = tag.part(from: offset, length: min(length, longestName * 2))
    else { return nil }
    let units = (0..<text.count / 2).compactMap { text.number16(at: $0 * 2) }.map(UInt16.init)
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// Removes control characters, marks that change the direction of writing, and white space at both ends.
  private static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.filter {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
    var name = String(String.UnicodeScalarView(scalars.prefix(longestName))).drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }
}

extension TransferFunction {
  /// Reads a curve of an ICC profile (ICC.1:2022, 10.6 and 10.18).
  init?(icc tag: ByteView) {
    if tag.starts(with: "curv".utf8) {
      self.init(curve: tag)
    } else if tag.starts(with: "para".utf8) {
      self.init(parametric: tag)
    } else {
      return nil
    }
  }

  /// The maximum number of values in a table. 32 767: profiles have up to 4 096, and lcms2 has the same
  /// limit.
  private static let maxSamples = 32_767

  private init?(curve tag: ByteView) {
    guard let count = tag.number32(at: 8), count <= Self.maxSamples,
      let content = tag.part(from: 12, length: count * 2)
    else { return nil }
    let values = (0..<count).compactMap { content.number16(at: $0 * 2) }.map(UInt16.init)
    switch values.count {
    case 0: self = .gamma(1)
    case 1: self = .gamma(Double(values[0]) / 256)
    default: self = .sampled(values)
    }
  }

  private init?(parametric tag: ByteView) {
    // The number of parameters of each function type.
    let counts = [1, 3, 4, 5, 7]
    guard let type = tag.number16(at: 8), counts.indices.contains(type) else { return nil }
    let p = (0..<counts[type]).compactMap { tag.fixed(at: 12 + $0 * 4) }
    guard p.count == counts[type] else { return nil }
    self =
      switch type {
      case 0: .gamma(p[0])
      case 1: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
      case 2: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
      case 3: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
      default: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
      }
  }
}

extension ByteView {
  /// Reads a signed fixed-point number with 16 fraction bits (the s15Fixed16Number of ICC).
  fileprivate func fixed(at offset: Int) -> Double? {
    number32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
