/// The chunk ranges of a PNG without any error.
///
/// The checks are stricter than those of libpng: an error that libpng tolerates is rejected here, too. So
/// only libpng decides the effect of an error.
struct ValidPNG {
  /// The content of PLTE, entries of three bytes; nil if the file has no palette.
  private(set) var palette: Range<Int>?
  /// The content of tRNS, of a length that is valid for the color type; nil if the file has no tRNS.
  private(set) var transparency: Range<Int>?
  /// The contents of all IDAT chunks that are not empty.
  private(set) var compressed: [Range<Int>] = []

  private enum Stage {
    case start, beforeData, data, afterData
  }

  /// The maximum length of a chunk. 64 MB is the limit of libpng in this package, which may reject longer
  /// chunks.
  private static let maxChunkBytes = 64 << 20

  /// Reads the chunks of a file with a valid `header`. Returns nil if the file has any error.
  ///
  /// - Complexity: linear in the size of the file, because the checksums cover every byte.
  init?(_ bytes: [UInt8], header: ImageHeader) {
    let file = ByteView(bytes)
    guard file.starts(with: PNGHeader.signature) else { return nil }
    var stage = Stage.start
    for (name, content) in PNGChunks(file) {
      guard content.count <= Self.maxChunkBytes, file.intactChunk(content) != nil else { return nil }
      switch name {
      case .header:
        // After size, depth and color type: the compression and filter methods, for which only 0 is defined.
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
        guard stage == .beforeData, transparency == nil, isValidTransparency(content.count, header)
        else { return nil }
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

  /// Returns true if `length` is a valid length of tRNS: no value is missing or superfluous.
  private func isValidTransparency(_ length: Int, _ header: ImageHeader) -> Bool {
    switch header.colorModel {
    case .gray: length == 2
    case .rgb: length == 6
    case .indexed: length >= 1 && length <= min((palette?.count ?? 0) / 3, 1 << header.bitDepth)
    case .grayAlpha, .rgba, .cmyk: false
    }
  }
}

extension PNGChunks.Name {
  /// True for four letters with a lowercase first letter: the pixels do not depend on the chunk.
  fileprivate var isAncillary: Bool {
    let letters = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    return letters[0] & 0x20 != 0
      && letters.allSatisfy { (0x41...0x5A).contains($0 & ~0x20) }
  }
}

extension ImageHeader.ColorModel {
  /// True for color models that allow a PLTE chunk. Without indices, the palette is only a suggestion.
  fileprivate var mayHavePalette: Bool { self == .indexed || self == .rgb || self == .rgba }
}
