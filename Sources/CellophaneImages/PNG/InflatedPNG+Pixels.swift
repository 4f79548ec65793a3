extension InflatedPNG {
  /// The largest PNG whose data is inflated at once to check it: 4 MB. The fast path is worth as much memory.
  static let maxCheckedBytes = 4 << 20

  /// Returns true if the file is small and valid to its end. Its pixels are not expanded.
  static func isValid(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
    guard let needed = workingBytes(header, expandsInPlace: false), needed <= maxCheckedBytes
    else { return false }
    return InflatedPNG(bytes, header: header, expandsInPlace: false) != nil
  }

  /// Decodes `bytes` with `framing` to `byteCount` bytes of pixels. Returns nil if the file requires libpng.
  ///
  /// - Throws: ``LoadError/cancelled`` or ``LoadError/Kind/timeout``.
  static func pixels(
    of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8]? {
    try watch.check()
    guard var png = InflatedPNG(bytes, header: header, expandsInPlace: framing.isIdentity) else { return nil }
    try watch.check()
    if framing.isIdentity { return try png.pixels(watch) }
    var reframer = Reframer(framing, byteCount: byteCount)
    let (width, height) = (header.size.width, header.size.height)
    var source = PixelRows(width: width, count: min(height, ImageAssembler.stripHeight))
    for first in stride(from: 0, to: height, by: ImageAssembler.stripHeight) {
      let count = min(ImageAssembler.stripHeight, height - first)
      var span = source.pixels.mutableSpan
      png.read(count, to: &span, at: 0)
      reframer.add(source, rows: 0..<count)
      try watch.check()
    }
    return reframer.pixels
  }
}
