internal import CImageCodecs

/// Reads the rows of one picture file. The only place where decoding touches C.
@safe
struct RowReader: ~Copyable {
  private let reader: OpaquePointer
  private let bytes: [UInt8]
  private let format: ImageFormat
  /// What the codec delivers.
  private(set) var size = PixelSize(width: 0, height: 0)
  /// How often all rows come before they are complete; each time they must hold what the time before left.
  private(set) var passes = 1

  /// The most scans of one JPEG. 100: encoders write about 10, and each scan may cost as much time as a whole
  /// picture while being a few bytes long.
  static let mostScans: UInt32 = 100
  /// The most memory that libjpeg may take, which is what the coefficients of a progressive picture need.
  /// 512 MB: the budget of all pictures in the making.
  static let mostCodecMemory = 512 << 20

  private init(_ reader: OpaquePointer, bytes: [UInt8], format: ImageFormat) {
    unsafe self.reader = reader
    self.bytes = bytes
    self.format = format
  }

  /// Opens a picture, whose header was read and found within the limits, up to its first row.
  static func open(
    _ bytes: [UInt8], header: ImageHeader, framing: Framing
  ) throws(LoadError) -> RowReader {
    let codec: CodecFormat =
      switch header.format {
      case .png: .PNG
      case .jpeg: .JPEG
      }
    guard let handle = unsafe cellophane_reader_open(codec) else { throw .noMemoryForPixels }
    var reader = unsafe RowReader(handle, bytes: bytes, format: header.format)
    try reader.start(framing)
    return reader
  }

  deinit {
    unsafe cellophane_reader_close(reader)
  }

  /// Reads the next `count` rows into `pixels`, from `offset` bytes on.
  mutating func read<Element: BitwiseCopyable>(
    _ count: Int, to pixels: inout MutableSpan<Element>, at offset: Int
  ) throws(LoadError) {
    let status = unsafe pixels.withUnsafeMutableBytes { destination in
      precondition(offset >= 0 && count >= 0 && offset + count * size.width * 4 <= destination.count)
      guard let start = destination.baseAddress else { return CodecStatus.corrupt }
      return unsafe withFile { file, length in
        unsafe cellophane_reader_read(
          reader, file, length, (start + offset).assumingMemoryBound(to: UInt8.self), UInt32(count))
      }
    }
    try check(status)
  }

  /// Reads what follows the rows, so that a file that was cut off there is noticed.
  mutating func finish() throws(LoadError) {
    try check(unsafe withFile { unsafe cellophane_reader_finish(reader, $0, $1) })
  }

  private mutating func start(_ framing: Framing) throws(LoadError) {
    let limits = CodecLimits(
      denominator: UInt32(framing.denominator), scans: Self.mostScans, memory: Self.mostCodecMemory)
    try check(unsafe withFile { unsafe cellophane_reader_start(reader, $0, $1, limits) })
    let layout = unsafe cellophane_reader_layout(reader)
    size = PixelSize(width: Int(layout.width), height: Int(layout.height))
    passes = Int(layout.passes)
    guard size == framing.decoded else {
      throw LoadError(.corrupt, "the \(format.name) states its size in two ways")
    }
    try absorb()
  }

  /// Reads the scans of a progressive JPEG.
  private mutating func absorb() throws(LoadError) {
    while true {
      let status = unsafe withFile { unsafe cellophane_reader_absorb(reader, $0, $1) }
      guard status == .more else { return try check(status) }
      if Task.isCancelled { throw .cancelled }
    }
  }

  private borrowing func withFile(
    _ body: (UnsafePointer<UInt8>, Int) -> CodecStatus
  ) -> CodecStatus {
    unsafe bytes.withUnsafeBufferPointer { file in
      guard let start = file.baseAddress else { return .truncated }
      return unsafe body(start, file.count)
    }
  }

  private borrowing func check(_ status: CodecStatus) throws(LoadError) {
    switch status {
    case .ready, .more: return
    case .outOfMemory: throw .noMemoryForPixels
    case .corrupt: throw failure(.corrupt, "is damaged")
    case .truncated: throw failure(.truncated, "is not whole")
    case .unsupported: throw failure(.unsupported, "cannot be decoded")
    case .tooLarge: throw failure(.imageTooLarge, "needs too much")
    }
  }

  private borrowing func failure(_ kind: LoadError.Kind, _ what: String) -> LoadError {
    let said = unsafe String(cString: cellophane_reader_message(reader))
    return LoadError(kind, "the \(format.name) \(what): \(said)")
  }
}

extension LoadError {
  static let noMemoryForPixels = LoadError(
    .imageTooLarge, "no memory is left for the picture; load fewer at once", isRetryable: true)
}
