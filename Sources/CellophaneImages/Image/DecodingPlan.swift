/// The geometry of a decoding and the memory that it needs.
struct DecodingPlan {
  let framing: Framing
  /// The bytes of the decoded image.
  let outputBytes: Int
  /// The peak memory of the decoding, result included, in bytes.
  let workingBytes: Int

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - outputBytes: The bytes of `framing.output`; 0 if pixels are discarded.
  ///   - colorBytes: The memory of the color profile and of the conversion.
  init(
    _ header: ImageHeader, _ framing: Framing, outputBytes: Int, colorBytes: Int, _ options: ImageOptions
  ) {
    self.framing = framing
    self.outputBytes = outputBytes
    let resampler =
      framing.isResampled
      ? Resampler.workingBytes(from: framing.decoded, to: framing.output, filter: framing.filter) : 0
    let codec = max(Self.codecBytes(header), Self.inflatedBytes(header, framing, options))
    workingBytes =
      outputBytes + header.coefficientBytes + resampler + Self.sourceBytes(header, framing, options) + codec
      + colorBytes
  }

  /// Checks the size of a complete file, unless partial images are allowed.
  ///
  /// - Throws: ``LoadError/Kind/truncated`` if `fileBytes` are too few for the pixels.
  func checkFileSize(
    _ header: ImageHeader, fileBytes: Int, _ options: ImageOptions
  ) throws(LoadError) {
    guard fileBytes < header.minimumFileBytes, !options.allowsPartial else { return }
    throw LoadError(
      .truncated,
      "the \(header.format.name) is incomplete: \(fileBytes) bytes cannot hold "
        + "\(header.size.width)x\(header.size.height) pixels; load it again")
  }

  /// Returns the memory for rows of the source in addition to the result; 0 if they are decoded into the result.
  ///
  /// A JPEG needs one strip. A PNG also needs up to 1 MB, the rows from one step of decompression. An
  /// interlaced image needs all of its rows.
  private static func sourceBytes(
    _ header: ImageHeader, _ framing: Framing, _ options: ImageOptions
  ) -> Int {
    let row = framing.decoded.width * 4
    if options.discardsPixels { return row * ImageAssembler.stripHeight + 1 << 20 }
    guard !framing.isIdentity else { return 0 }
    let all = row * framing.decoded.height
    return switch header.format {
    case .jpeg: row * ImageAssembler.stripHeight
    case .png: header.isProgressive ? all : row * ImageAssembler.stripHeight + min(all, 1 << 20)
    }
  }

  /// Returns the memory of the fast path for PNGs; 0 if it is not used.
  private static func inflatedBytes(
    _ header: ImageHeader, _ framing: Framing, _ options: ImageOptions
  ) -> Int {
    let isInPlace = framing.isIdentity && !options.discardsPixels
    let bytes = InflatedPNG.workingBytes(header, expandsInPlace: isInPlace) ?? 0
    return options.discardsPixels && bytes > InflatedPNG.maxCheckedBytes ? 0 : bytes
  }

  /// Returns the memory of the codec itself.
  ///
  /// libpng needs two rows of up to 8 bytes per pixel and the 32 KB window of zlib. libjpeg needs up to four
  /// components of about five rows of units, 8 or 16 samples high, before and after upsampling.
  private static func codecBytes(_ header: ImageHeader) -> Int {
    switch header.format {
    case .png: header.size.width * 2 * 8 + 64 << 10
    case .jpeg: header.size.width * 4 * 5 * 8 + 64 << 10
    }
  }
}
