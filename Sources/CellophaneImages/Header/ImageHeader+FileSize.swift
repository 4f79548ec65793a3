extension ImageHeader {
  /// The minimum size of a complete file with this header, in bytes. Valid for images within the limits.
  ///
  /// One byte of Deflate data expands to at most 1 032 bytes: 258 bytes need at least a quarter of a byte
  /// (RFC 1951, section 3.2.5). A Huffman code has at least one bit, and every block of 8x8 samples needs a
  /// code. If no component is sampled at the full resolution of the grid, the components have together at
  /// least half as many blocks as the grid. Arithmetic coding has no such bound.
  var minimumFileBytes: Int {
    guard let area = size.area else { return 0 }
    return switch format {
    case .png: area / 8 * samplesPerPixel * bitDepth / 1_032
    case .jpeg: isArithmetic ? 0 : area / 128 / 8
    }
  }

  private var samplesPerPixel: Int {
    switch colorModel {
    case .gray, .indexed: 1
    case .grayAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }
}
