/// The decoding of a picture that is fed piece by piece.
final class ImageDecoding: IncrementalDecoding {
  private let decoder: ImageDecoder
  private let options: ImageOptions
  /// The file so far.
  private var bytes: [UInt8] = []
  /// With how many bytes the format is known for certain. 64: some names stand behind the first 32.
  private static let longestSignature = 64
  /// How many bytes there must be before the header is looked for again. Growing steps keep the time for it linear
  /// in what precedes the pixels, whatever the pieces.
  private var nextLook = 0
  /// Nil until the header is there.
  private var run: PictureRun?
  private var watch: DecodingWatch
  /// What every further call throws.
  private var failure: LoadError?

  init(_ decoder: ImageDecoder, _ options: ImageOptions) {
    self.decoder = decoder
    self.options = options
    watch = decoder.watch()
  }

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    if bytes.isEmpty { bytes = piece } else { bytes += piece }
    let before = run?.seen ?? 0
    try failing { () throws(LoadError) in try advance(isWhole: false) }
    return (run?.seen ?? 0) > before
  }

  func preview() throws(LoadError) -> Image? {
    var image: Image?
    try failing { () throws(LoadError) in image = try run?.preview(watch) }
    return image
  }

  func finish() throws(LoadError) -> Image {
    var image: Image?
    try failing { () throws(LoadError) in
      try advance(isWhole: true)
      if try isTurnedLate() || run?.dependsOnPieces ?? false {
        // Two would take the memory of two.
        run = nil
        image = try decoder.decode(bytes, options: options, inflatesAtOnce: true, watch: watch)
      } else {
        image = try run?.picture(watch)
      }
    }
    // There is a run as soon as a whole file was accepted.
    guard let image else { throw LoadError(.truncated, "there are no bytes where a picture should be") }
    return image
  }

  private func failing(_ body: () throws(LoadError) -> Void) throws(LoadError) {
    if let failure { throw failure }
    watch.resume()
    defer { watch.pause() }
    do throws(LoadError) {
      try body()
    } catch {
      if error.kind != .cancelled { failure = error }
      throw error
    }
  }

  private func advance(isWhole: Bool) throws(LoadError) {
    let input = RowReader.Input(bytes: bytes, isWhole: isWhole)
    if run == nil {
      guard isWhole || bytes.count >= nextLook else { return }
      nextLook = bytes.count + bytes.count / 16
      let header: ImageHeader
      do throws(LoadError) {
        header = try ImageHeader(of: bytes)
      } catch {
        // The names of foreign formats stand in their first bytes.
        if !isWhole, error.kind == .truncated || bytes.count < Self.longestSignature { return }
        throw error
      }
      let plan = try decoder.plan(header, options, fileBytes: bytes.count)
      guard isWhole || header.format == .jpeg || PNGHeader.reachesPixels(ByteView(bytes)) else { return }
      if isWhole { try plan.checkWhole(header, fileBytes: bytes.count, options) }
      run = try PictureRun(header, plan, options)
    }
    try run?.advance(input, watch)
  }

  /// True when the orientation stands behind the pixels, where a PNG may have it, and was not known before.
  private func isTurnedLate() throws(LoadError) -> Bool {
    guard let used = run?.header, used.format == .png, options.appliesOrientation else { return false }
    return try ImageHeader(of: bytes).orientation != used.orientation
  }
}
