extension PNGHeader {
  /// Returns true if `file` contains the first data chunk or IEND, so that no later chunk can precede the pixels.
  static func reachesPixels(_ file: ByteView) -> Bool {
    PNGChunks(file).contains { $0.name == .data || $0.name == .end }
  }
}
