/// Decodes PNG and JPEG. The format is told from the bytes, never from a name or a header field.
///
/// The header is read and the limits are applied before anything is allocated. With a target size rows are
/// averaged as they come, so that a thumbnail of a large picture costs little more memory than itself.
/// Gamma and colour profiles are left alone; 16 bits are reduced by their high byte.
public struct ImageDecoder: ResourceDecoder {
  /// The most pixels that are decoded. A JPEG that is decoded at a smaller scale counts at that scale.
  public let maximumPixels: Int
  /// How long decoding one picture may take.
  public let timeLimit: Duration
  private let timeline: Timeline

  /// The most memory that a file and its decoding may take, in bytes. 600 MB: the largest picture (400 MB) and
  /// half as much again for what is held beside it. Pictures that need more are those whose coefficients or
  /// rows are larger than themselves: progressive ones from about 85 million pixels on, interlaced ones that are
  /// reduced, PNGs of many millions of pixels in a row.
  static let mostWorkingBytes = 600_000_000

  /// A decoder of pictures up to `maximumPixels`. 100 million by default: above most cameras, and 400 MB
  /// when decoded. More than 2^32 counts as 2^32, the size of the largest JPEG: 16 GB, and no number of bytes
  /// can overflow.
  ///
  /// - Parameters:
  ///   - timeLimit: 8 s by default: ten times what an honest picture of the most pixels takes, and low enough
  ///     that nothing holds a caller for more than 10 s. Files can be made to take long: with scans that cost
  ///     as much time as a picture and hardly a byte, or with large empty areas.
  ///   - timeline: Where the time comes from.
  public init(
    maximumPixels: Int = 100_000_000, timeLimit: Duration = .seconds(8), timeline: Timeline = Timeline()
  ) {
    self.maximumPixels = min(maximumPixels, 1 << 32)
    self.timeLimit = timeLimit
    self.timeline = timeline
  }

  /// What the file says about itself; nothing that grows with the picture is allocated.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt`` or ``LoadError/Kind/truncated``.
  /// - Complexity: linear in the number of blocks that the file is made of.
  public func header(of bytes: [UInt8]) throws(LoadError) -> ImageHeader {
    try ImageHeader(of: bytes)
  }

  /// What the colours of a picture mean: sRGB, a wider space, inks. What is damaged or cannot be made sense
  /// of counts as not said.
  ///
  /// Not a part of ``header(of:)``, which every decoding reads: a profile may have to be put together and
  /// unpacked, up to 4 MB of it, and decoding needs none of that.
  ///
  /// - Throws: as ``header(of:)`` does.
  /// - Complexity: linear in the number of blocks that the file is made of, and in the size of its profile.
  public func colorProfile(of bytes: [UInt8]) throws(LoadError) -> ColorProfile {
    let header = try ImageHeader(of: bytes)
    return ColorProfile(StatedColor.read(bytes, header: header), of: header.colorModel)
  }

  /// Decodes a picture, turns it upright and reduces it, as `options` say. Looks at cancellation and at the time
  /// every few rows.
  ///
  /// - Throws: ``LoadError/Kind/unsupported``, ``LoadError/Kind/corrupt``, ``LoadError/Kind/truncated``,
  ///   ``LoadError/Kind/imageTooLarge``, ``LoadError/Kind/timeout``, ``LoadError/Kind/invalidRequest`` for a
  ///   target size without pixels, or ``LoadError/cancelled``.
  public func decode(_ bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Image {
    try decode(bytes, options: options, inflatesAtOnce: true)
  }

  /// Decodes a picture; without `inflatesAtOnce` over libpng and libjpeg alone, whose word is final. `watch` is
  /// given where time was spent on the picture already.
  func decode(
    _ bytes: [UInt8], options: ImageOptions, inflatesAtOnce: Bool, watch given: DecodingWatch? = nil
  ) throws(LoadError) -> Image {
    let watch = given ?? watch()
    let header = try ImageHeader(of: bytes)
    let plan = try plan(header, options, fileBytes: bytes.count)
    try plan.checkWhole(header, fileBytes: bytes.count, options)
    // Fast path: PNGs without a flaw.
    if inflatesAtOnce,
      let pixels = try InflatedPNG.pixels(
        of: bytes, header, plan.framing, byteCount: plan.outputBytes, watch)
    {
      let coloring = try Coloring(bytes, header: header, options)
      return Image(
        size: plan.framing.shown, agreedPixels: try coloring.applied(to: pixels, watch), isPartial: false)
    }
    // Slow path: all others, and whatever is wrong.
    var run = try PictureRun(header, plan, options)
    try run.advance(RowReader.Input(bytes: bytes, isWhole: true), watch)
    return try run.picture(watch)
  }

  /// A decoding of a picture whose bytes are still arriving. What was decoded is not decoded again, except for
  /// damaged files and for PNGs that state their orientation behind their pixels.
  public func incremental(options: ImageOptions) -> (any IncrementalDecoding<Image>)? {
    ImageDecoding(self, options)
  }

  /// The bytes of the pixels.
  public func cost(of value: Image) -> Int { value.pixels.count }

  /// The most memory that decoding holds at once, result included, in bytes. The first bytes of a file are
  /// enough, when they hold its header.
  public func workingBytes(for bytes: [UInt8], options: ImageOptions) throws(LoadError) -> Int {
    try plan(try ImageHeader(of: bytes), options, fileBytes: bytes.count).workingBytes
  }

  func watch() -> DecodingWatch {
    DecodingWatch(timeline, limit: timeLimit)
  }

  /// How a picture is decoded; refused when that is beyond the limits.
  func plan(
    _ header: ImageHeader, _ options: ImageOptions, fileBytes: Int
  ) throws(LoadError) -> DecodingPlan {
    let framing = try Framing(header: header, options: options)
    let (size, name) = (header.size, header.format.name)
    guard let area = framing.decoded.area, area <= maximumPixels
    else {
      throw LoadError(
        .imageTooLarge,
        "the \(name) has \(size.width)x\(size.height) pixels; the limit is \(maximumPixels)")
    }
    let output = framing.orientation.turned(framing.output)
    guard let outputArea = output.area, outputArea <= maximumPixels, let outputBytes = output.byteCount else {
      throw LoadError(
        .imageTooLarge,
        "the picture would be enlarged to \(output.width)x\(output.height) pixels; the limit is \(maximumPixels)"
      )
    }
    guard header.coefficientBytes <= RowReader.mostCodecMemory else {
      throw LoadError(
        .imageTooLarge,
        "the progressive JPEG of \(size.width)x\(size.height) needs \(header.coefficientBytes) bytes at once;"
          + " the limit is \(RowReader.mostCodecMemory)")
    }
    let plan = DecodingPlan(header, framing, outputBytes: outputBytes, options)
    guard plan.workingBytes <= Self.mostWorkingBytes - fileBytes else {
      throw LoadError(
        .imageTooLarge,
        "decoding the \(name) of \(size.width)x\(size.height) takes \(plan.workingBytes) bytes beside its "
          + "\(fileBytes); the limit is \(Self.mostWorkingBytes)")
    }
    return plan
  }
}
