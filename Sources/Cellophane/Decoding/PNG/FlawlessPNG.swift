/// Where the parts of a PNG are that has no flaw at all. Stricter than libpng in everything: a file that has
/// the smallest fault, even one that libpng forgives, is none, so that libpng alone decides what faults mean.
struct FlawlessPNG {
  /// The content of PLTE, whole entries of three bytes; nil without.
  private(set) var palette: Range<Int>?
  /// The content of tRNS, of a length that fits the colour type; nil without.
  private(set) var transparency: Range<Int>?
  /// The contents of all IDAT that are not empty.
  private(set) var compressed: [Range<Int>] = []

  private enum Stage {
    case start, beforeData, data, afterData
  }

  /// The longest chunk read. 64 MB, which is libpng's own limit here, beyond which it may refuse.
  private static let mostChunkBytes = 64 << 20

  /// Nil when anything about the file, whose header was read already, is unusual.
  ///
  /// - Complexity: linear in the size of the file, of which every byte is summed.
  init?(_ bytes: [UInt8], header: ImageHeader) {
    let file = ByteView(bytes)
    guard file.starts(with: PNGHeader.signature) else { return nil }
    var stage = Stage.start
    var offset = PNGHeader.signature.count
    while let length = file.number32(at: offset), length <= Self.mostChunkBytes,
      let name = file.number32(at: offset + 4), let sum = file.number32(at: offset + 8 + length),
      sum == Int(crc32(bytes, in: offset + 4..<offset + 8 + length))
    {
      let content = offset + 8..<offset + 8 + length
      switch name {
      case Name.header:
        // Behind size, depth and colour: the methods of compression and filtering, of which there is one.
        guard stage == .start, length == 13, file.number16(at: content.lowerBound + 10) == 0 else {
          return nil
        }
        stage = .beforeData
      case Name.palette:
        guard stage == .beforeData, palette == nil, transparency == nil, header.colorModel.mayHavePalette,
          length.isMultiple(of: 3), (1...256).contains(length / 3)
        else { return nil }
        palette = content
      case Name.transparency:
        guard stage == .beforeData, transparency == nil, fits(length, header) else { return nil }
        transparency = content
      case Name.data:
        guard stage == .beforeData || stage == .data, header.colorModel != .indexed || palette != nil
        else { return nil }
        if length > 0 { compressed.append(content) }
        stage = .data
      case Name.end:
        guard stage == .data || stage == .afterData, length == 0 else { return nil }
        return
      default:
        guard stage != .start, Name.isAncillary(name) else { return nil }
        if stage == .data { stage = .afterData }
      }
      offset = content.upperBound + 4
    }
    return nil
  }

  /// Whether a tRNS of `length` bytes says something about every pixel, and about nothing else.
  private func fits(_ length: Int, _ header: ImageHeader) -> Bool {
    switch header.colorModel {
    case .gray: length == 2
    case .rgb: length == 6
    case .indexed: length >= 1 && length <= min((palette?.count ?? 0) / 3, 1 << header.bitDepth)
    case .grayAlpha, .rgba, .cmyk: false
    }
  }

  private enum Name {
    static let header = 0x4948_4452  // IHDR
    static let palette = 0x504C_5445  // PLTE
    static let transparency = 0x7452_4E53  // tRNS
    static let data = 0x4944_4154  // IDAT
    static let end = 0x4945_4E44  // IEND

    /// Four letters, the first a small one: a chunk that pixels do not depend on.
    static func isAncillary(_ name: Int) -> Bool {
      let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: name >> $0) }
      return letters[0] & 0x20 != 0
        && letters.allSatisfy { (0x41...0x5A).contains($0 & ~0x20) }
    }
  }
}

extension ImageHeader.ColorModel {
  /// True for colours; those that are no indices may come with a palette as a suggestion.
  fileprivate var mayHavePalette: Bool { self == .indexed || self == .rgb || self == .rgba }
}
