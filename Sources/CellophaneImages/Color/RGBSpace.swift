/// An RGB color space: primaries and transfer functions.
struct RGBSpace: Equatable {
  let primaries: Primaries
  /// The transfer functions of red, green and blue, in this order.
  let transfer: [TransferFunction]

  init(_ primaries: Primaries, _ transfer: [TransferFunction]) {
    self.primaries = primaries
    self.transfer = transfer
  }

  private init(_ primaries: Primaries, _ transfer: TransferFunction) {
    self.init(primaries, [transfer, transfer, transfer])
  }

  static let sRGB = RGBSpace(.sRGB, .sRGB)
  /// Adobe RGB, with a gamma of 563/256 (Adobe RGB (1998) Color Image Encoding).
  static let adobeRGB = RGBSpace(.adobeRGB, .gamma(563 / 256))

  private static let known: [(name: String, space: RGBSpace)] = [
    ("Display P3", RGBSpace(.p3, .sRGB)), ("Adobe RGB", adobeRGB),
    ("ProPhoto RGB", RGBSpace(.proPhoto, .gamma(1.8))), ("Rec. 2020", RGBSpace(.bt2020, .bt709)),
    ("Rec. 2100 PQ", RGBSpace(.bt2020, .pq)), ("Rec. 2100 HLG", RGBSpace(.bt2020, .hlg)),
  ]

  /// The common name; nil for uncommon spaces.
  ///
  /// A transfer function may differ by 8 levels, because some variants begin with a linear segment and some
  /// do not. The name sRGB is exact, because it means that no conversion is necessary.
  var name: String? { isSRGB ? "sRGB" : Self.known.first { matches($0.space, tolerance: 8) }?.name }

  /// True if showing the colors as sRGB changes none by more than a rounding error.
  var isSRGB: Bool { matches(.sRGB, tolerance: 1) }

  /// True for HDR spaces, whose light exceeds white.
  var hasHeadroom: Bool { transfer.contains { $0 == .pq || $0 == .hlg } }

  private func matches(_ other: RGBSpace, tolerance: Double) -> Bool {
    primaries.matches(other.primaries)
      && zip(transfer, other.transfer).allSatisfy { $0 == $1 || $0.matches($1, tolerance: tolerance) }
  }
}

extension RGBSpace {
  /// Reads a cICP chunk. Returns nil for code points that are reserved or not for screens, for colors other
  /// than RGB, and for the narrow range.
  init?(codePoints chunk: ByteView) {
    guard chunk.count == 4, chunk.byte(at: 2) == 0, chunk.byte(at: 3) == 1,
      let primaries = chunk.byte(at: 0).flatMap(Primaries.init(codePoint:)),
      let transfer = chunk.byte(at: 1).flatMap(TransferFunction.init(codePoint:))
    else { return nil }
    self.init(primaries, transfer)
  }

  /// Reads the cHRM and gAMA chunks, whose units are 1/100 000.
  ///
  /// Without gAMA, the transfer function is that of sRGB. A gamma of 1/2.2 with the primaries of sRGB also
  /// means sRGB: editors write this approximation for readers without color management (PNG, third edition,
  /// 11.3.2.5).
  init?(chromaticities: ByteView, gamma: ByteView?) {
    let numbers = (0..<8).compactMap { chromaticities.number32(at: $0 * 4) }.map { Double($0) / 100_000 }
    guard chromaticities.count == 32, numbers.count == 8 else { return nil }
    func point(_ index: Int) -> SIMD2<Double> { [numbers[index], numbers[index + 1]] }
    let points = Chromaticities(red: point(2), green: point(4), blue: point(6), white: point(0))
    guard let primaries = Primaries(points) else { return nil }
    switch gamma.flatMap({ $0.count == 4 ? $0.number32(at: 0) : nil }) {
    case nil, 0: self.init(primaries, .sRGB)
    case 45_455 where primaries.matches(.sRGB): self.init(primaries, .sRGB)
    case let value?: self.init(primaries, .gamma(100_000 / Double(value)))
    }
  }

  /// Reads the EXIF tag ColorSpace. 1 is sRGB. 0xFFFF is Adobe RGB if the interoperability index is R03 (DCF
  /// 2.0), otherwise unknown.
  init?(exif: ByteView) {
    guard let tiff = TIFFView(exif), let directory = tiff.firstDirectory,
      let exifDirectory = tiff.offset(0x8769, in: directory),
      let space = tiff.short(0xA001, in: exifDirectory)
    else { return nil }
    switch space {
    case 1: self = .sRGB
    case 0xFFFF:
      guard let interoperability = tiff.offset(0xA005, in: exifDirectory),
        tiff.holds("R03".utf8, 0x0001, in: interoperability)
      else { return nil }
      self = .adobeRGB
    default: return nil
    }
  }
}
