/// A decoder of PNG, JPEG and further formats. It identifies the format from the bytes, never from a file name or a
/// header field.
///
/// The header is read and the limits are applied before any allocation that grows with the image. With a
/// target size, rows are averaged while they are decoded. A thumbnail of a large image then needs little more
/// memory than its own pixels. Colors are those of the file, unless a conversion to sRGB is requested, and
/// samples of 16 bits are reduced to their high byte.
public struct ImageDecoder: ResourceDecoder {
  /// The maximum number of pixels. A JPEG that is decoded at a reduced scale counts at that scale.
  package let maximumPixels: Int
  /// The maximum time for decoding one image.
  package let timeLimit: Duration
  private let timeline: Timeline?
  let registry: CodecRegistry

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - codecs: The codecs of the formats that it reads. Of several for one format, the last counts.
  ///   - maximumPixels: The maximum number of pixels. The default of 100 million exceeds the images of most
  ///     cameras and needs 400 MB when decoded. Values above 2^32 count as 2^32, the size of the largest JPEG
  ///     (16 GB when decoded), so that no number of bytes overflows.
  ///   - timeLimit: The maximum time for one image. The default of 8 s is ten times the decoding time of an
  ///     ordinary image of the maximum size. A malicious file can take long: a scan of a few bytes takes as
  ///     much time as an image, and large empty areas compress to almost nothing.
  ///   - timeline: The clock that measures the time limit. Nil measures the processor time of the decoding, so
  ///     that a busy machine or a stopped process does not end it.
  public init(
    codecs: [PictureCodec] = [.png, .jpeg], maximumPixels: Int = 100_000_000,
    timeLimit: Duration = .seconds(8), timeline: Timeline? = nil
  ) {
    self.maximumPixels = min(maximumPixels, 1 << 32)
    self.timeLimit = timeLimit
    self.timeline = timeline
    registry = CodecRegistry(codecs)
  }

  /// The formats that it reads.
  public var formats: [ImageFormat] { registry.codecs.map(\.format) }

  /// Returns the codec for `format`.
  ///
  /// - Throws: ``LoadError/Kind/unsupported`` without one.
  func codec(of format: ImageFormat) throws(LoadError) -> any FormatCodec {
    guard let codec = registry.codecs.first(where: { $0.format == format }) else {
      throw LoadError(.unsupported, "the decoder has no codec for \(format.name); create it with one")
    }
    return codec
  }

  /// Returns the codec for the file that begins with `bytes`, and the header.
  ///
  /// - Throws: The same errors as ``header(of:)``.
  func parse(_ bytes: [UInt8]) throws(LoadError) -> (codec: any FormatCodec, header: ImageHeader) {
    let file = ByteView(bytes)
    let codec = try registry.codec(for: file)
    return (codec, try codec.header(of: file))
  }

  /// Reads the header of a file. No allocation grows with the size of the image.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated``.
  /// - Complexity: linear in the number of chunks or segments in the file.
  public func header(of bytes: [UInt8]) throws(LoadError) -> ImageHeader { try parse(bytes).header }

  /// Reads the color space that a file declares, for example sRGB, Display P3 or a CMYK profile.
  ///
  /// A damaged or unusable declaration counts as missing. The profile is not a part of ``header(of:)``, because
  /// a profile of up to 4 MiB may have to be joined and decompressed. A decoded image has that of its pixels:
  /// see ``Image/colorProfile``.
  ///
  /// - Throws: The same errors as ``header(of:)``.
  /// - Complexity: linear in the number of chunks or segments in the file and in the size of the profile.
  public func colorProfile(of bytes: [UInt8]) throws(LoadError) -> ColorProfile {
    let (codec, header) = try parse(bytes)
    return ColorProfile(
      codec.colors(of: ByteView(bytes), header.colorModel).colorSpace, of: header.colorModel)
  }

  /// Decodes an image, applies its orientation, resizes it and runs the processors according to `options`.
  ///
  /// Checks for cancellation and the time limit every few rows.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt``, ``LoadError/Kind/truncated``,
  ///   ``LoadError/Kind/imageTooLarge``, ``LoadError/Kind/timeout``, ``LoadError/Kind/invalidRequest`` for a
  ///   target size without pixels, ``LoadError/cancelled``, or the error of a processor.
  public func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Image {
    try decode(bytes, options: options, usesFastPath: true).processed(for: options)
  }

  /// Decodes an image without its processors.
  ///
  /// - Parameters:
  ///   - usesFastPath: Whether a codec may decode without its reader, which is the reference for all results.
  ///   - watch: The watch of an incremental decoding, which has already spent a part of the time limit.
  func decode(
    _ bytes: [UInt8], options: ImageOptions, usesFastPath: Bool, watch currentWatch: DecodingWatch? = nil
  ) throws(LoadError) -> Image {
    let watch = currentWatch ?? watch()
    let (codec, header) = try parse(bytes)
    let plan = try plan(header, codec, options, bytes)
    try plan.checkFileSize(header, fileBytes: bytes.count, options)
    // Fast path: files without errors.
    if options.discardsPixels {
      if usesFastPath, codec.isValid(bytes, header) {
        return try image(of: [], bytes, plan, options, header, watch)
      }
    } else if usesFastPath,
      let pixels = try codec.pixels(of: bytes, header, plan.framing, byteCount: plan.outputBytes, watch)
    {
      return try image(of: pixels, bytes, plan, options, header, watch)
    }
    // Slow path: all other files, including all errors.
    var run = try DecodingRun(header, plan, options)
    try run.advance(RowReader.Input(bytes: bytes, isComplete: true), watch)
    return try run.result(watch)
  }

  private func image(
    of pixels: consuming [UInt8], _ bytes: [UInt8], _ plan: DecodingPlan, _ options: ImageOptions,
    _ header: ImageHeader, _ watch: DecodingWatch
  ) throws(LoadError) -> Image {
    let reading = plan.codec.colors(of: ByteView(bytes), header.colorModel)
    return try ColorConversion(reading, of: header.colorModel, options).image(
      of: pixels, plan.framing, orientation: header.remainingOrientation(options), watch)
  }

  /// Creates a decoding of an image whose bytes are still being received.
  ///
  /// Every row is decoded once, except in damaged files and in PNGs whose orientation follows their pixels.
  public func incremental(options: ImageOptions) -> (any IncrementalDecoding<Image>)? {
    IncrementalImageDecoding(self, options)
  }

  /// The media types of ``formats``. Origins without them may send another type, which the error then names.
  public var acceptedTypes: String? { registry.acceptedTypes }

  /// Returns the bytes of the pixels and of the color profile.
  public func cost(of value: Image) -> Int { value.pixels.count + (value.colorProfile?.icc?.count ?? 0) }

  /// Returns the peak memory of a decoding, result included, in bytes.
  ///
  /// `bytes` may be the start of a file if it contains the header.
  public func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    let (codec, header) = try parse(bytes)
    return try plan(header, codec, options, bytes).workingBytes
  }

  func watch() -> DecodingWatch {
    DecodingWatch(timeline, limit: timeLimit)
  }

  /// Returns the plan for the image whose file begins with `bytes`.
  ///
  /// - Throws: ``LoadError/Kind/imageTooLarge`` if the image exceeds a limit,
  ///   ``LoadError/Kind/invalidRequest`` for a target size without pixels.
  func plan(
    _ header: ImageHeader, _ codec: any FormatCodec, _ options: ImageOptions, _ bytes: [UInt8]
  ) throws(LoadError) -> DecodingPlan {
    let framing = try Framing(header: header, scaling: codec.scaling(header), options: options)
    let (size, name) = (header.size, header.format.name)
    guard let area = framing.decoded.area, area <= maximumPixels
    else {
      throw LoadError(
        .imageTooLarge,
        "the \(name) has \(size.width)x\(size.height) pixels; the limit is \(maximumPixels)",
        detail: .pixelLimit)
    }
    let output = framing.orientation.applied(to: framing.output)
    guard let outputArea = output.area, outputArea <= maximumPixels, let pixelBytes = output.byteCount else {
      throw LoadError(
        .imageTooLarge,
        "the result would be enlarged to \(output.width)x\(output.height) pixels; "
          + "the limit is \(maximumPixels)", detail: .pixelLimit)
    }
    guard header.bufferBytes <= RowReader.maxCodecMemory else {
      throw LoadError(
        .imageTooLarge,
        "the \(name) of \(size.width)x\(size.height) needs \(header.bufferBytes) bytes in its decoder; the limit is "
          + "\(RowReader.maxCodecMemory)")
    }
    let plan = DecodingPlan(
      header, framing, codec, outputBytes: options.discardsPixels ? 0 : pixelBytes,
      colorBytes: ColorConversion.workingBytes(
        profileBytes: codec.profileBytes(of: ByteView(bytes)), options),
      processingBytes: try processingBytes(options, from: output), discardsPixels: options.discardsPixels)
    guard plan.workingBytes <= Image.maximumWorkingBytes - bytes.count else {
      throw LoadError(
        .imageTooLarge,
        "decoding the \(name) of \(size.width)x\(size.height) needs \(plan.workingBytes) bytes and its "
          + "file has \(bytes.count); the limit is \(Image.maximumWorkingBytes)")
    }
    return plan
  }
}
