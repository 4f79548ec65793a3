internal import CImageCodecs

/// A reader of the rows of one image file, as far as it has been received. The only type that calls the C
/// decoders.
@safe
struct RowReader: ~Copyable {
  /// The state after a call.
  ///
  /// Every call returns after a bounded amount of work, at most some tens of milliseconds, so that the caller
  /// can check for cancellation and the time limit.
  enum Progress {
    /// The call did all of its work.
    case done
    /// The call did a part of its work. Call again to continue.
    case more
    /// The call used up the input. Call again with more input to continue.
    case starved
  }

  /// The part of the file received so far.
  struct Input {
    let bytes: [UInt8]
    /// True if no bytes follow.
    let isComplete: Bool
  }

  private let reader: OpaquePointer
  private let format: ImageFormat
  private let framing: Framing
  /// True if all rows are refined in place instead of being delivered in order. Valid after the start.
  private(set) var isInterlaced = false
  /// The color conversion of the image.
  private(set) var colorConversion: ColorConversion?

  /// The maximum number of scans in a JPEG.
  ///
  /// 100: encoders write about 10. A malicious scan has only a few bytes and takes as much time as a complete
  /// image.
  static let maxScans: UInt32 = 100
  /// The maximum memory of libjpeg, which it needs for the coefficients of a progressive image.
  ///
  /// 512 MB is also the budget for all decodings at the same time.
  static let maxCodecMemory = 512 << 20

  /// Creates a reader for an image whose header is within the limits.
  init(_ codec: any FormatCodec, _ framing: Framing) throws(LoadError) {
    format = codec.format
    guard let handle = unsafe codec.open() else { throw .noMemoryForPixels }
    unsafe reader = handle
    self.framing = framing
  }

  deinit {
    unsafe cellophane_reader_close(reader)
  }

  /// Reads the file up to its pixels.
  ///
  /// Without `showsParts`, the pixels of an interlaced image are undefined until all rows are read.
  mutating func start(_ input: Input, showsParts: Bool) throws(LoadError) -> Progress {
    let limits = CodecLimits(
      denominator: UInt32(framing.denominator), width: UInt32(framing.decoded.width),
      height: UInt32(framing.decoded.height), scans: Self.maxScans, memory: Self.maxCodecMemory,
      shows_parts: showsParts)
    let progress = try progress(
      unsafe Self.with(input) { unsafe cellophane_reader_start(reader, $0, limits) })
    guard progress == .done else { return progress }
    let layout = unsafe cellophane_reader_layout(reader)
    guard Int(layout.width) == framing.decoded.width, Int(layout.height) == framing.decoded.height else {
      throw LoadError(.corrupt, "the size of the \(format.name) differs between its headers")
    }
    isInterlaced = layout.interlaced
    return .done
  }

  /// Sets the color conversion. Call this after the start and before the first row.
  mutating func setColorConversion(_ conversion: consuming ColorConversion) {
    if conversion.takesCMYK { unsafe cellophane_reader_keep_inks(reader) }
    colorConversion = consume conversion
  }

  /// Reads the scans of a progressive JPEG.
  mutating func absorb(_ input: Input) throws(LoadError) -> Progress {
    try progress(unsafe Self.with(input) { unsafe cellophane_reader_absorb(reader, $0) })
  }

  /// The number of completely absorbed scans, or of finished passes of an interlaced image.
  var completedScans: Int { Int(unsafe cellophane_reader_scans(reader)) }

  /// Reads up to `count` rows into `pixels` at `offset` bytes.
  ///
  /// Sets `rows` to the number of rows read, also if an error is thrown. For an interlaced image this is the
  /// number of leading rows with content.
  mutating func read<Element: BitwiseCopyable>(
    _ count: Int, of input: Input, to pixels: inout MutableSpan<Element>, at offset: Int = 0,
    rows: inout Int
  ) throws(LoadError) -> Progress {
    let result = unsafe pixels.withUnsafeMutableBytes { destination in
      unsafe fill(destination, from: offset, count * bytesPerRow) { start in
        unsafe readRows(count, of: input, to: start)
      }
    }
    rows = Int(result.rows)
    return try progress(result.status)
  }

  /// Reads up to `count` rows and appends them to `pixels`, which must have enough capacity.
  mutating func read(
    _ count: Int, of input: Input, appendingTo pixels: inout OutputSpan<UInt8>, rows: inout Int
  ) throws(LoadError) -> Progress {
    let result = unsafe pixels.withUnsafeMutableBufferPointer { destination, initialized in
      let result = unsafe fill(
        UnsafeMutableRawBufferPointer(destination), from: initialized, count * bytesPerRow
      ) { start in
        unsafe readRows(count, of: input, to: start)
      }
      initialized += Int(result.rows) * bytesPerRow
      return result
    }
    rows = Int(result.rows)
    return try progress(result.status)
  }

  /// Checks all `count` rows of an interlaced image without keeping them.
  mutating func check(_ count: Int, of input: Input) throws(LoadError) -> Progress {
    try progress(
      unsafe Self.with(input) { unsafe cellophane_reader_read(reader, $0, nil, UInt32(count)).status })
  }

  /// Reads the data after the rows, so that a truncation there is noticed.
  mutating func finish(_ input: Input) throws(LoadError) -> Progress {
    try progress(unsafe Self.with(input) { unsafe cellophane_reader_finish(reader, $0) })
  }

  /// True if the reader ignored a possible error while the file was arriving. Only a new reader with the
  /// complete file can decide whether the file is damaged.
  var isUncertain: Bool { unsafe cellophane_reader_doubted(reader) }

  /// The deviations noticed so far that leave every pixel right.
  var warnings: [ImageWarning] { ImageWarning.all(in: unsafe cellophane_reader_warnings(reader)) }

  /// The number of rows that the scans absorbed so far can show; 0 for files whose rows are delivered in
  /// order.
  var scanPreviewRows: Int { Int(unsafe cellophane_reader_showable(reader)) }

  /// Begins a preview of the scans absorbed so far.
  mutating func startScanPreview() throws(LoadError) {
    _ = try progress(unsafe cellophane_reader_show(reader))
  }

  /// Reads up to `count` rows of the preview into `pixels`. Returns the number of rows read.
  mutating func readScanPreview<Element: BitwiseCopyable>(
    _ count: Int, to pixels: inout MutableSpan<Element>, at offset: Int = 0
  ) throws(LoadError) -> Int {
    let result = unsafe pixels.withUnsafeMutableBytes { destination in
      unsafe fill(destination, from: offset, count * bytesPerRow) { start in
        unsafe cellophane_reader_read_shown(reader, start, UInt32(count))
      }
    }
    _ = try progress(result.status)
    return Int(result.rows)
  }

  private borrowing func readRows(
    _ count: Int, of input: Input, to start: UnsafeMutablePointer<UInt8>
  ) -> CodecRows {
    var result = CodecRows()
    _ = unsafe Self.with(input) { file in
      result = unsafe cellophane_reader_read(reader, file, start, UInt32(count))
      return result.status
    }
    return result
  }

  private var bytesPerRow: Int { framing.decoded.width * 4 }

  /// Calls `body` to write up to `count` bytes of rows, and converts CMYK. All rows pass through this
  /// function.
  private borrowing func fill(
    _ destination: UnsafeMutableRawBufferPointer, from offset: Int, _ count: Int,
    _ body: (UnsafeMutablePointer<UInt8>) -> CodecRows
  ) -> CodecRows {
    precondition(offset >= 0 && count >= 0 && offset + count <= destination.count)
    guard let start = destination.baseAddress else { return CodecRows(status: .corrupt, rows: 0) }
    let result = unsafe body((start + offset).assumingMemoryBound(to: UInt8.self))
    let rows = offset..<offset + Int(result.rows) * bytesPerRow
    unsafe colorConversion?.apply(toCMYK: UnsafeMutableRawBufferPointer(rebasing: destination[rows]))
    return result
  }

  private static func with(_ input: Input, _ body: (CodecInput) -> CodecStatus) -> CodecStatus {
    unsafe input.bytes.withUnsafeBufferPointer { file in
      guard let start = file.baseAddress else { return .truncated }
      return unsafe body(CodecInput(bytes: start, count: file.count, whole: input.isComplete))
    }
  }

  private borrowing func progress(_ status: CodecStatus) throws(LoadError) -> Progress {
    switch status {
    case .ready: return .done
    case .more: return .more
    case .starved: return .starved
    case .outOfMemory: throw .noMemoryForPixels
    case .corrupt: throw failure(.corrupt, "is damaged")
    case .truncated: throw failure(.truncated, "is incomplete")
    case .unsupported: throw failure(.unsupported, "cannot be decoded")
    case .tooLarge: throw failure(.imageTooLarge, "exceeds a limit")
    }
  }

  private borrowing func failure(_ kind: LoadError.Kind, _ problem: String) -> LoadError {
    let message = unsafe String(cString: cellophane_reader_message(reader))
    return LoadError(kind, "the \(format.name) \(problem): \(message)")
  }
}
