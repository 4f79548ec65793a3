/// An ICC profile, read without trust (ICC.1:2022, the first and the second generation of the format alike):
/// what is damaged or missing in it is nil.
struct ICCProfile {
  /// All of it, as it was embedded.
  let bytes: [UInt8]
  let space: ColorProfile.Space
  /// How the profile wants to be used: 0 perceptual, 1 relative colorimetric, 2 saturation, 3 absolute.
  let intent: Int
  private let view: ByteView
  private let tagCount: Int

  /// The most tags that are looked through. 100: profiles have 10 to 30, and lcms2 reads no more either.
  private static let mostTags = 100

  /// Nil when `bytes` are not the profile of a picture in grey, RGB or CMYK.
  init?(_ bytes: [UInt8]) {
    let view = ByteView(bytes)
    guard bytes.count <= StatedColor.largestProfile, view.holds("acsp".utf8, at: 36),
      let size = view.number32(at: 0), size <= bytes.count,
      // Of a camera or scanner, a screen, a printer, or a space by itself.
      ["scnr", "mntr", "prtr", "spac"].contains(where: { view.holds($0.utf8, at: 12) }),
      let intent = view.number16(at: 66),
      let tagCount = view.number32(at: 128), tagCount <= Self.mostTags
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

  /// The content of the tag of this name.
  private func tag(_ name: String) -> ByteView? {
    for index in 0..<tagCount where view.holds(name.utf8, at: 132 + index * 12) {
      guard let offset = view.number32(at: 136 + index * 12), let size = view.number32(at: 140 + index * 12)
      else { return nil }
      return view.part(from: offset, length: size)
    }
    return nil
  }

  /// The space that primaries and curves define; nil for a profile that is tables, which would go before them.
  var rgb: RGBSpace? {
    guard space == .rgb, !hasTables, let red = point("rXYZ"), let green = point("gXYZ"),
      let blue = point("bXYZ")
    else { return nil }
    let transfer = ["rTRC", "gTRC", "bTRC"].compactMap(curve)
    guard transfer.count == 3 else { return nil }
    return RGBSpace(Primaries(red: red, green: green, blue: blue), transfer)
  }

  /// True for a profile of grey that stores light as sRGB does.
  var isSRGBGray: Bool {
    space == .gray && !hasTables && (curve("kTRC")?.matches(.sRGB, tolerance: 1) ?? false)
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
  /// What the profile calls itself, in English where it can choose, made safe to print.
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

  /// What a name may be long, in characters. 80: what a line of a terminal holds, and no known name needs.
  private static let longestName = 80

  private static func localized(_ tag: ByteView) -> String? {
    guard let count = tag.number32(at: 8), tag.number32(at: 12) == 12 else { return nil }
    // 100 languages are more than any profile has.
    let records = (0..<min(count, 100)).compactMap { tag.part(from: 16 + $0 * 12, length: 12) }
    guard let record = records.first(where: { $0.starts(with: "en".utf8) }) ?? records.first,
      let length = record.number32(at: 4), let offset = record.number32(at: 8),
      let text = tag.part(from: offset, length: min(length, longestName * 2))
    else { return nil }
    let units = (0..<text.count / 2).compactMap { text.number16(at: $0 * 2) }.map(UInt16.init)
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }

  /// `text` without controls, marks that turn the direction of writing, and blanks at its ends.
  private static func printable(_ text: String) -> String {
    let kept = text.unicodeScalars.filter {
      switch $0.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
    var name = String(String.UnicodeScalarView(kept.prefix(longestName))).drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }
}

extension TransferFunction {
  /// A curve of an ICC profile (ICC.1:2022, 10.6 and 10.18).
  init?(icc tag: ByteView) {
    if tag.starts(with: "curv".utf8) {
      self.init(curve: tag)
    } else if tag.starts(with: "para".utf8) {
      self.init(parametric: tag)
    } else {
      return nil
    }
  }

  /// The most values of a table. 32 767: profiles have up to 4 096, and lcms2 reads no more either.
  private static let mostSamples = 32_767

  private init?(curve tag: ByteView) {
    guard let count = tag.number32(at: 8), count <= Self.mostSamples,
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
    // How many numbers each kind of curve has.
    let counts = [1, 3, 4, 5, 7]
    guard let kind = tag.number16(at: 8), counts.indices.contains(kind) else { return nil }
    let p = (0..<counts[kind]).compactMap { tag.fixed(at: 12 + $0 * 4) }
    guard p.count == counts[kind] else { return nil }
    self =
      switch kind {
      case 0: .gamma(p[0])
      case 1: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
      case 2: .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
      case 3: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
      default: .parametric(g: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
      }
  }
}

extension ByteView {
  /// A number with 16 bits behind the point, signed (ICC's s15Fixed16Number).
  fileprivate func fixed(at offset: Int) -> Double? {
    number32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
  }
}
