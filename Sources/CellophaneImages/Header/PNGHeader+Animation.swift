extension PNGHeader {
  /// Returns the number of frames and of plays in the acTL chunk; nil for a still image.
  static func animation(in file: ByteView) -> (frames: Int, plays: Int)? {
    for (name, content) in PNGChunks(file) {
      // It precedes the pixels.
      if name == .data || name == .end { return nil }
      guard name == .animationControl else { continue }
      guard content.count >= 8, let frames = file.number32(at: content.lowerBound), frames > 1,
        let plays = file.number32(at: content.lowerBound + 4)
      else { return nil }
      return (frames, plays)
    }
    return nil
  }
}
