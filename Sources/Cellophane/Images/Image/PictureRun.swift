/// One picture being decoded, as far as its file is there.
struct PictureRun: ~Copyable {
  private enum Step {
    case start, absorb, read, finish, end
  }

  let header: ImageHeader
  let plan: DecodingPlan
  private let options: ImageOptions
  private var reader: RowReader
  private var drawing: Drawing?
  private var step = Step.start
  /// Why the rest is not decoded, where what there is was asked for, or where that is to be looked at again.
  private var damage: LoadError?
  /// It was found while the file arrived: it is not that the file was cut off.
  private var isDamagedBeforeEnd = false

  init(_ header: ImageHeader, _ plan: DecodingPlan, _ options: ImageOptions) throws(LoadError) {
    self.header = header
    self.plan = plan
    self.options = options
    reader = try RowReader(header, plan.framing)
  }

  /// Decodes as far as `input` reaches.
  mutating func advance(_ input: RowReader.Input, _ watch: DecodingWatch) throws(LoadError) {
    guard damage == nil else { return }
    do throws(LoadError) {
      while step != .end {
        try watch.look()
        switch try proceed(input) {
        case .more: continue
        case .starved: return
        case .done: try nextStep(input)
        }
      }
    } catch {
      let isDamage = error.kind == .truncated || error.kind == .corrupt
      // What comes behind something doubtful may not be what is wrong with the file.
      let isInDoubt = reader.isInDoubt && error.kind != .cancelled && error.kind != .timeout
      guard isInDoubt || options.allowsPartial && isDamage && step != .start else { throw error }
      damage = error
      isDamagedBeforeEnd = !input.isWhole
    }
  }

  private mutating func proceed(_ input: RowReader.Input) throws(LoadError) -> RowReader.Progress {
    switch step {
    // A whole file is decoded at once; of its parts only what is left of a damaged one is looked at.
    case .start: try reader.start(input, showsParts: !input.isWhole || options.allowsPartial)
    case .absorb: try reader.absorb(input)
    case .read: try drawing?.read(&reader, input) ?? .done
    case .finish: try reader.finish(input)
    case .end: .done
    }
  }

  private mutating func nextStep(_ input: RowReader.Input) throws(LoadError) {
    switch step {
    case .start:
      // What a file says of its colours stands before its pixels.
      reader.color(by: try Coloring(input.bytes, header: header, options))
      step = .absorb
    case .absorb:
      drawing = Drawing(
        plan.framing, byteCount: plan.outputBytes, isInterlaced: reader.isInterlaced)
      step = .read
    case .read: step = .finish
    case .finish, .end: step = .end
    }
  }

  /// A number that grows when there is more to see.
  var seen: Int {
    (drawing?.rows ?? 0) + reader.scans * (plan.framing.decoded.height + 1)
      + (reader.scans == 0 ? reader.showable : 0)
  }

  /// True when what came out may depend on the pieces in which the file came: how many rows are read before
  /// damage is noticed, and of a JPEG whether it is and what libjpeg made of the block that it is in. That the file
  /// ends too early is noticed at the same place in all of them.
  var dependsOnPieces: Bool { isDamagedBeforeEnd || damage?.kind == .corrupt || reader.isInDoubt }

  /// What there is so far; nil before the first rows.
  mutating func preview(_ watch: DecodingWatch) throws(LoadError) -> Image? {
    if step == .absorb, reader.showable > 0 {
      return try image(
        Drawing.shown(&reader, plan.framing, byteCount: plan.outputBytes, watch), isPartial: true, watch)
    }
    guard let drawing, drawing.rows > 0 else { return nil }
    return try image(drawing.preview(watch), isPartial: true, watch)
  }

  /// The picture, after `advance` with the whole file; or what there is of it, where that was asked for.
  mutating func picture(_ watch: DecodingWatch) throws(LoadError) -> Image {
    if let damage {
      guard let image = try preview(watch) else { throw damage }
      return image
    }
    return try image(drawing?.result(watch) ?? [], isPartial: false, watch)
  }

  private borrowing func image(
    _ pixels: consuming [UInt8], isPartial: Bool, _ watch: DecodingWatch
  ) throws(LoadError) -> Image {
    Image(
      size: plan.framing.shown, agreedPixels: try reader.coloring?.applied(to: pixels, watch) ?? [],
      isPartial: isPartial)
  }
}
