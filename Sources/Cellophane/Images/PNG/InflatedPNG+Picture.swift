extension InflatedPNG {
  /// The pixels that `framing` asks for, `byteCount` bytes; nil when libpng has to read the file.
  static func pixels(
    of bytes: [UInt8], _ header: ImageHeader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8]? {
    try watch.look()
    guard var png = InflatedPNG(bytes, header: header, forWhole: framing.isWhole) else { return nil }
    try watch.look()
    if framing.isWhole { return try png.pixels(watch) }
    var result = Reframing(framing, byteCount: byteCount)
    let (width, height) = (header.size.width, header.size.height)
    var source = PixelRows(width: width, count: min(height, Drawing.stripHeight))
    for first in stride(from: 0, to: height, by: Drawing.stripHeight) {
      let count = min(Drawing.stripHeight, height - first)
      var span = source.pixels.mutableSpan
      png.read(count, to: &span, at: 0)
      result.add(source, rows: 0..<count)
      try watch.look()
    }
    return result.pixels
  }
}
