/// Decodes PNG and JPEG. The format is told from the bytes, never from a name or a header field.
///
/// The header is read and the limits are applied before anything is allocated. With a target size rows are
/// averaged as they come, so that a thumbnail of a large picture costs little more memory than itself.
/// Gamma and colour profiles are left alone; 16 bits are reduced by their high byte.
public struct ImageDecoder: ResourceDecoder {
  /// The most pixels that are decoded. A JPEG that is decoded at a smaller scale counts at that scale, but
  /// may have at most ``sourceFactor`` times as many as stored.
  public let maximumPixels: Int

  /// How many times ``maximumPixels`` a JPEG may store when it is decoded at a smaller scale. 4: its entropy
  /// coding is read at full size whatever the scale, in about 1.6 ns per pixel, so that no source takes much
  /// longer than decoding a picture at the limit.
  public static let sourceFactor = 4

  /// A decoder of pictures up to `maximumPixels`. 100 million by default: above most cameras, and 400 MB
  /// when decoded. More than 2^32 counts as 2^32, the size of the largest JPEG: 16 GB, and no number of bytes
  /// can overflow.
  public init(maximumPixels: Int = 100_000_000) {
    self.maximumPixels = min(maximumPixels, 1 << 32)
  }

  /// What the file says about itself; nothing that grows with the picture is allocated.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated``.
  /// - Complexity: linear in the number of blocks that the file is made of.
  public func header(of bytes: [UInt8]) throws(LoadError) -> ImageHeader {
    try ImageHeader(of: bytes)
  }

  /// Decodes a picture, turns it upright and reduces it, as `options` say. Notices cancellation every few
  /// rows.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt``, ``LoadError/Kind/truncated``,
  ///   ``LoadError/Kind/imageTooLarge``, ``LoadError/Kind/invalidRequest`` for a target size without
  ///   pixels, or ``LoadError/cancelled``.
  public func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Image {
    let header = try ImageHeader(of: bytes)
    let framing = try Framing(header: header, options: options)
    let outputBytes = try checkLimits(header, framing)
    var reader = try RowReader.open(bytes, header: header, framing: framing)
    let pixels =
      framing.isWhole
      ? try reader.readWhole(byteCount: outputBytes)
      : try reader.readReframed(framing, byteCount: outputBytes)
    try reader.finish()
    return Image(size: framing.orientation.turned(framing.output), agreedPixels: pixels)
  }

  /// The bytes of the pixels.
  public func cost(of value: Image) -> Int { value.pixels.count }

  /// The most memory that decoding holds at once, result included, in bytes.
  public func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    let header = try ImageHeader(of: bytes)
    let framing = try Framing(header: header, options: options)
    let outputBytes = try checkLimits(header, framing)
    return outputBytes + header.coefficientBytes + RowReader.workingBytes(header, framing)
  }

  /// Returns the bytes of the result.
  private func checkLimits(_ header: ImageHeader, _ framing: Framing) throws(LoadError) -> Int {
    let (size, decoded) = (header.size, framing.decoded)
    guard let area = decoded.area, area <= maximumPixels, let stored = size.area,
      stored / Self.sourceFactor <= maximumPixels, let outputBytes = framing.output.byteCount
    else {
      throw LoadError(
        .imageTooLarge,
        "the \(header.format.name) has \(size.width)x\(size.height) pixels; the limit is \(maximumPixels)")
    }
    guard header.coefficientBytes <= RowReader.mostCodecMemory else {
      throw LoadError(
        .imageTooLarge,
        "the progressive JPEG of \(size.width)x\(size.height) needs \(header.coefficientBytes) bytes at once;"
          + " the limit is \(RowReader.mostCodecMemory)")
    }
    return outputBytes
  }
}
