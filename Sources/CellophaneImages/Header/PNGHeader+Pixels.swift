extension PNGHeader {
  /// Returns true if `file` contains the first data chunk, so that no chunk can precede the pixels any more.
  static func reachesPixels(_ file: ByteView) -> Bool {
    PNGChunks(file).contains { $0.name == .data || $0.name == .end }
  }
}
