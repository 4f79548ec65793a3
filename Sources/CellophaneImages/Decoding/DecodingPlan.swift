/// The geometry of a decoding and the memory that it needs.
struct DecodingPlan {
  let codec: any FormatCodec
  let framing: Framing
  /// The bytes of the decoded image.
  let outputBytes: Int
  /// The peak memory of the decoding and of the processors, result included, in bytes.
  let workingBytes: Int

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - outputBytes: The bytes of `framing.output`; 0 if pixels are discarded.
  ///   - colorBytes: The memory of the color profile and of the conversion.
  ///   - processingBytes: The peak memory of the processors, which run after the decoding.
  init(
    _ header: ImageHeader, _ framing: Framing, _ codec: any FormatCodec, outputBytes: Int, colorBytes: Int,
    processingBytes: Int, discardsPixels: Bool
  ) {
    (self.codec, self.framing) = (codec, framing)
    self.outputBytes = outputBytes
    let resampler =
      framing.isResampled
      ? Resampler.workingBytes(from: framing.decoded, to: framing.output, filter: framing.filter) : 0
    let decoding =
      outputBytes + resampler + codec.workingBytes(header, framing, discardsPixels: discardsPixels)
      + colorBytes
    workingBytes = max(decoding, processingBytes)
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
}
