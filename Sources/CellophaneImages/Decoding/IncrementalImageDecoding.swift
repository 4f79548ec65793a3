/// A decoding of an image whose file arrives in pieces.
final class IncrementalImageDecoding: IncrementalDecoding {
  private let decoder: ImageDecoder
  private let options: ImageOptions
  /// The part of the file received so far.
  private(set) var bytes: [UInt8] = []
  /// The number of bytes that identifies every format. 64: some signatures follow the first 32 bytes.
  private static let longestSignature = 64
  /// The number of bytes at which the header is parsed again.
  ///
  /// It grows by a constant factor. The total time for the attempts is then linear in the size of the data
  /// before the pixels, regardless of the sizes of the pieces.
  private var nextHeaderAttempt = 0
  /// The decoding; nil until the header is complete.
  private var run: DecodingRun?
  private var watch: DecodingWatch
  /// The error that every further call throws.
  private var failure: LoadError?

  init(_ decoder: ImageDecoder, _ options: ImageOptions) {
    self.decoder = decoder
    self.options = options
    watch = decoder.watch()
  }

  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    if bytes.isEmpty { bytes = piece } else { bytes += piece }
    let before = run?.visibleProgress ?? 0
    try rememberingFailure { () throws(LoadError) in try advance(isComplete: false) }
    return (run?.visibleProgress ?? 0) > before
  }

  func preview() throws(LoadError) -> Image? {
    var image: Image?
    try rememberingFailure { () throws(LoadError) in image = try run?.preview(watch)?.processed(for: options)
    }
    return image
  }

  func finish() throws(LoadError) -> Image {
    var image: Image?
    try rememberingFailure { () throws(LoadError) in
      try advance(isComplete: true)
      if try hasLateOrientation() || run?.dependsOnPieceBoundaries ?? false {
        // Two runs would need twice the memory.
        run = nil
        image = try decoder.decode(bytes, options: options, usesFastPath: true, watch: watch)
      } else {
        image = try run?.result(watch)
      }
    }
    // `advance` creates a run for every complete file, or throws.
    guard let image else { throw .noImageData }
    return try image.processed(for: options)
  }

  /// Runs `body` with the watch running, and stores its error unless the task was cancelled.
  private func rememberingFailure(_ body: () throws(LoadError) -> Void) throws(LoadError) {
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

  private func advance(isComplete: Bool) throws(LoadError) {
    let input = RowReader.Input(bytes: bytes, isComplete: isComplete)
    if run == nil {
      guard isComplete || bytes.count >= nextHeaderAttempt else { return }
      nextHeaderAttempt = bytes.count + bytes.count / 16
      let codec: any FormatCodec
      let header: ImageHeader
      do throws(LoadError) {
        (codec, header) = try decoder.parse(bytes)
      } catch {
        // Foreign formats are only identified when their signature is complete.
        if !isComplete, error.kind == .truncated || bytes.count < Self.longestSignature { return }
        throw error
      }
      let plan = try decoder.plan(header, codec, options, bytes)
      guard isComplete || codec.reachesPixels(ByteView(bytes)) else { return }
      if isComplete { try plan.checkFileSize(header, fileBytes: bytes.count, options) }
      run = try DecodingRun(header, plan, options)
    }
    try run?.advance(input, watch)
  }

  /// Returns true if the orientation follows the pixels, so that the run did not know it.
  private func hasLateOrientation() throws(LoadError) -> Bool {
    guard let codec = run?.plan.codec, codec.hasLateOrientation else { return false }
    let orientation = try codec.header(of: ByteView(bytes)).orientation
    return orientation != run?.header.orientation
  }
}
