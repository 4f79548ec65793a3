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
    for (name, content) in PNGChunks(file) {
      guard content.count <= Self.mostChunkBytes, let sum = file.number32(at: content.upperBound),
        // The name is summed too.
        sum == Int(crc32(bytes, in: content.lowerBound - 4..<content.upperBound))
      else { return nil }
      switch name {
      case .header:
        // Behind size, depth and colour: the methods of compression and filtering, of which there is one.
        guard stage == .start, content.count == 13, file.number16(at: content.lowerBound + 10) == 0 else {
          return nil
        }
        stage = .beforeData
      case .palette:
        guard stage == .beforeData, palette == nil, transparency == nil, header.colorModel.mayHavePalette,
          content.count.isMultiple(of: 3), (1...256).contains(content.count / 3)
        else { return nil }
        palette = content
      case .transparency:
        guard stage == .beforeData, transparency == nil, fits(content.count, header) else { return nil }
        transparency = content
      case .data:
        guard stage == .beforeData || stage == .data, header.colorModel != .indexed || palette != nil
        else { return nil }
        if !content.isEmpty { compressed.append(content) }
        stage = .data
      case .end:
        guard stage == .data || stage == .afterData, content.isEmpty else { return nil }
        return
      default:
        guard stage != .start, name.isAncillary else { return nil }
        if stage == .data { stage = .afterData }
      }
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
}

extension PNGChunks.Name {
  /// Four letters, the first a small one: a chunk that pixels do not depend on.
  fileprivate var isAncillary: Bool {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return letters[0] & 0x20 != 0
      && letters.allSatisfy { (0x41...0x5A).contains($0 & ~0x20) }
  }
}

extension ImageHeader.ColorModel {
  /// True for colours; those that are no indices may come with a palette as a suggestion.
  fileprivate var mayHavePalette: Bool { self == .indexed || self == .rgb || self == .rgba }
}
