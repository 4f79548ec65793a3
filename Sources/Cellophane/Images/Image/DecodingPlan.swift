/// How a picture will be decoded, and what that takes.
struct DecodingPlan {
  let framing: Framing
  /// The bytes of the result.
  let outputBytes: Int
  /// The most memory that decoding holds at once, result included, in bytes.
  let workingBytes: Int

  /// - Parameter outputBytes: The bytes of `framing.output`.
  init(_ header: ImageHeader, _ framing: Framing, outputBytes: Int, _ options: ImageOptions) {
    self.framing = framing
    self.outputBytes = outputBytes
    let resampler =
      framing.isResampled
      ? Resampler.workingBytes(from: framing.decoded, to: framing.output, filter: framing.filter) : 0
    let codec = max(Self.codecBytes(header), InflatedPNG.workingBytes(header, forWhole: framing.isWhole) ?? 0)
    workingBytes =
      outputBytes + header.coefficientBytes + resampler + Self.sourceBytes(header, framing) + codec
      + Coloring.workingBytes(options)
  }

  /// - Throws: ``LoadError/Kind/truncated`` when a whole file of `fileBytes` cannot hold its picture.
  func checkWhole(
    _ header: ImageHeader, fileBytes: Int, _ options: ImageOptions
  ) throws(LoadError) {
    guard fileBytes < header.leastFileBytes, !options.allowsPartial else { return }
    throw LoadError(
      .truncated,
      "the \(header.format.name) is not whole: \(fileBytes) bytes cannot hold "
        + "\(header.size.width)x\(header.size.height) pixels")
  }

  /// The rows of the source that are held beside the result: a strip, and up to 1 MB that a PNG's compressed
  /// data gives at once; or all of an interlaced picture.
  private static func sourceBytes(_ header: ImageHeader, _ framing: Framing) -> Int {
    guard !framing.isWhole else { return 0 }
    let row = framing.decoded.width * 4
    let all = row * framing.decoded.height
    return switch header.format {
    case .jpeg: row * Drawing.stripHeight
    case .png: header.isProgressive ? all : row * Drawing.stripHeight + min(all, 1 << 20)
    }
  }

  /// What the codec itself holds: libpng two rows of up to 8 bytes per pixel and zlib's window of 32 KB;
  /// libjpeg up to four components of about five rows of units (8 or 16 high) before and after upsampling.
  private static func codecBytes(_ header: ImageHeader) -> Int {
    switch header.format {
    case .png: header.size.width * 2 * 8 + 64 << 10
    case .jpeg: header.size.width * 4 * 5 * 8 + 64 << 10
    }
  }
}
