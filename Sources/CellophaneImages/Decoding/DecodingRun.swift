/// The state of decoding one image, as far as its file has been received.
struct DecodingRun: ~Copyable {
  private enum Step {
    case start, absorb, read, finish, end
  }

  let header: ImageHeader
  let plan: DecodingPlan
  private let options: ImageOptions
  private var reader: RowReader
  private var assembler: ImageAssembler?
  private var step = Step.start
  /// The error that stopped the decoding, if a partial image is allowed or the complete file must be decoded
  /// again.
  private var damage: LoadError?
  /// True if the damage was found while the file was arriving, so the file is not just truncated.
  private var isDamagedBeforeEnd = false

  init(_ header: ImageHeader, _ plan: DecodingPlan, _ options: ImageOptions) throws(LoadError) {
    self.header = header
    self.plan = plan
    self.options = options
    reader = try RowReader(plan.codec, plan.framing)
  }

  /// Decodes to the end of `input`.
  mutating func advance(_ input: RowReader.Input, _ watch: DecodingWatch) throws(LoadError) {
    guard damage == nil else { return }
    do throws(LoadError) {
      while step != .end {
        try watch.check()
        switch try proceed(input) {
        case .more: continue
        case .starved: return
        case .done: try startNextStep(input)
        }
      }
    } catch {
      let isDamage = error.kind == .truncated || error.kind == .corrupt
      // An error after ignored damage may not be the error of the file. The complete file decides.
      let isUncertain = reader.isUncertain && error.kind != .cancelled && error.kind != .timeout
      guard isUncertain || options.allowsPartial && isDamage && step != .start else { throw error }
      damage = error
      isDamagedBeforeEnd = !input.isComplete
    }
  }

  private mutating func proceed(_ input: RowReader.Input) throws(LoadError) -> RowReader.Progress {
    switch step {
    // A complete file needs no intermediate states, unless a damaged one may result in a partial image.
    case .start: try reader.start(input, showsParts: !input.isComplete || options.allowsPartial)
    case .absorb: try reader.absorb(input)
    case .read: try assembler?.read(&reader, input) ?? .done
    case .finish: try reader.finish(input)
    case .end: .done
    }
  }

  private mutating func startNextStep(_ input: RowReader.Input) throws(LoadError) {
    switch step {
    case .start:
      // The declaration of the colors precedes the pixels.
      let reading = plan.codec.colors(of: ByteView(input.bytes), header.colorModel)
      reader.setColorConversion(try ColorConversion(reading, of: header.colorModel, options))
      step = .absorb
    case .absorb:
      assembler = ImageAssembler(
        plan.framing, byteCount: plan.outputBytes, isInterlaced: reader.isInterlaced,
        discardsPixels: options.discardsPixels)
      step = .read
    case .read: step = .finish
    case .finish, .end: step = .end
    }
  }

  /// A number that increases when a preview would show more.
  var visibleProgress: Int {
    (assembler?.rows ?? 0) + reader.completedScans * (plan.framing.decoded.height + 1)
      + (reader.completedScans == 0 ? reader.scanPreviewRows : 0)
  }

  /// True if the result may depend on the pieces in which the file arrived.
  ///
  /// The pieces decide how many rows are read before damage is noticed. In a JPEG they may also decide
  /// whether it is noticed, and the content of the damaged block. Truncation is always noticed at the same
  /// position.
  var dependsOnPieceBoundaries: Bool {
    isDamagedBeforeEnd || damage?.kind == .corrupt || reader.isUncertain
  }

  /// Returns the image decoded so far, or nil before its first rows.
  mutating func preview(_ watch: DecodingWatch) throws(LoadError) -> Image? {
    if step == .absorb, reader.scanPreviewRows > 0 {
      return try makeImage(
        ImageAssembler.scanPreview(&reader, plan.framing, byteCount: plan.outputBytes, watch),
        isPartial: true, watch)
    }
    guard let assembler, assembler.rows > 0 else { return nil }
    return try makeImage(assembler.preview(watch), isPartial: true, watch)
  }

  /// Returns the image after `advance` with the complete file. Returns a partial image if that is allowed.
  mutating func result(_ watch: DecodingWatch) throws(LoadError) -> Image {
    if let damage {
      guard let image = try preview(watch) else { throw damage }
      return image
    }
    return try makeImage(assembler?.result(watch) ?? [], isPartial: false, watch)
  }

  private borrowing func makeImage(
    _ pixels: consuming [UInt8], isPartial: Bool, _ watch: DecodingWatch
  ) throws(LoadError) -> Image {
    // The colors are known before the first row.
    guard
      let image = try reader.colorConversion?.image(
        of: pixels, plan.framing, orientation: header.remainingOrientation(options), isPartial: isPartial,
        warnings: reader.warnings, watch)
    else { throw .noImageData }
    return image
  }
}
