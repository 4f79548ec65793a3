extension PNGHeader {
  /// True when `file` goes on to the first chunk of pixels, so that nothing can stand before them any more.
  static func reachesPixels(_ file: ByteView) -> Bool {
    PNGChunks(file).contains { $0.name == .data || $0.name == .end }
  }
}
