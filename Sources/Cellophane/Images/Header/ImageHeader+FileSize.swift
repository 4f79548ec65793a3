extension ImageHeader {
  /// The fewest bytes that a whole file with this header can have; for pictures within the limits.
  ///
  /// Deflate makes at most 1 032 bytes of one (258 of a quarter of a byte, RFC 1951, section 3.2.5). A Huffman code
  /// has at least one bit, and there is one for each block of 8x8; components that are all sampled less than the
  /// grid have together at least half as many blocks as the grid. Arithmetic coding has no such bound.
  var leastFileBytes: Int {
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
