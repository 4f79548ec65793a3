/// A space of red, green and blue.
struct RGBSpace: Equatable {
  let primaries: Primaries
  /// Of red, green and blue, in this order.
  let transfer: [TransferFunction]

  init(_ primaries: Primaries, _ transfer: [TransferFunction]) {
    self.primaries = primaries
    self.transfer = transfer
  }

  private init(_ primaries: Primaries, _ transfer: TransferFunction) {
    self.init(primaries, [transfer, transfer, transfer])
  }

  static let sRGB = RGBSpace(.sRGB, .sRGB)
  /// Its gamma is 563/256 (Adobe RGB (1998) Color Image Encoding).
  static let adobeRGB = RGBSpace(.adobeRGB, .gamma(563 / 256))

  private static let known: [(name: String, space: RGBSpace)] = [
    ("Display P3", RGBSpace(.p3, .sRGB)), ("Adobe RGB", adobeRGB),
    ("ProPhoto RGB", RGBSpace(.proPhoto, .gamma(1.8))), ("Rec. 2020", RGBSpace(.bt2020, .bt709)),
    ("Rec. 2100 PQ", RGBSpace(.bt2020, .pq)), ("Rec. 2100 HLG", RGBSpace(.bt2020, .hlg)),
  ]

  /// Its common name; nil when it is none of the usual spaces. But for sRGB's, which promises that nothing has to
  /// be converted, a name allows for curves that differ by 8 levels: some begin with a straight line and some
  /// do not.
  var name: String? { isSRGB ? "sRGB" : Self.known.first { matches($0.space, tolerance: 8) }?.name }

  /// True when taking its colours for sRGB moves none by more than a rounding error.
  var isSRGB: Bool { matches(.sRGB, tolerance: 1) }

  /// True when there is light beyond white.
  var hasHeadroom: Bool { transfer.contains { $0 == .pq || $0 == .hlg } }

  private func matches(_ other: RGBSpace, tolerance: Double) -> Bool {
    primaries.matches(other.primaries)
      && zip(transfer, other.transfer).allSatisfy { $0 == $1 || $0.matches($1, tolerance: tolerance) }
  }
}

extension RGBSpace {
  /// What a cICP chunk states; nil for a code that is reserved or not for screens, for colours that are not
  /// plain red, green and blue, and for a range with headroom.
  init?(codePoints chunk: ByteView) {
    guard chunk.count == 4, chunk.byte(at: 2) == 0, chunk.byte(at: 3) == 1,
      let primaries = chunk.byte(at: 0).flatMap(Primaries.init(codePoint:)),
      let transfer = chunk.byte(at: 1).flatMap(TransferFunction.init(codePoint:))
    else { return nil }
    self.init(primaries, transfer)
  }

  /// What cHRM and gAMA state, in units of 1/100 000. Without a gAMA, light is stored as in sRGB; 1/2.2 in
  /// sRGB's own primaries is the rounded form in which editors store sRGB for readers that know no more
  /// (PNG, third edition, 11.3.2.5), and means it.
  init?(chromaticities: ByteView, gamma: ByteView?) {
    let numbers = (0..<8).compactMap { chromaticities.number32(at: $0 * 4) }.map { Double($0) / 100_000 }
    guard chromaticities.count == 32, numbers.count == 8 else { return nil }
    func point(_ index: Int) -> SIMD2<Double> { [numbers[index], numbers[index + 1]] }
    let points = Chromaticities(red: point(2), green: point(4), blue: point(6), white: point(0))
    guard let primaries = Primaries(points) else { return nil }
    switch gamma.flatMap({ $0.count == 4 ? $0.number32(at: 0) : nil }) {
    case nil, 0: self.init(primaries, .sRGB)
    case 45_455 where primaries.matches(.sRGB): self.init(primaries, .sRGB)
    case let stored?: self.init(primaries, .gamma(100_000 / Double(stored)))
    }
  }

  /// What EXIF's ColorSpace says: 1 is sRGB; 0xFFFF is anything, and with the mark R03 Adobe RGB (DCF 2.0).
  init?(exif: ByteView) {
    guard let tiff = TIFFView(exif), let first = tiff.firstDirectory,
      let details = tiff.offset(0x8769, in: first), let space = tiff.short(0xA001, in: details)
    else { return nil }
    switch space {
    case 1: self = .sRGB
    case 0xFFFF:
      guard let interoperability = tiff.offset(0xA005, in: details),
        tiff.holds("R03".utf8, 0x0001, in: interoperability)
      else { return nil }
      self = .adobeRGB
    default: return nil
    }
  }
}
