internal import CImageCodecs

/// Reads the rows of one picture file, as far as it is there. The only place where decoding touches C.
@safe
struct RowReader: ~Copyable {
  /// How far a call got. Each returns after a bounded amount of work (some ten ms at most), so that its caller
  /// can look at cancellation and at the time.
  enum Progress {
    /// It did what was asked.
    case done
    /// Call again.
    case more
    /// Call again when there is more of the file.
    case starved
  }

  /// The file so far.
  struct Input {
    let bytes: [UInt8]
    /// Nothing follows.
    let isWhole: Bool
  }

  private let reader: OpaquePointer
  private let format: ImageFormat
  private let framing: Framing
  /// True when all rows are refined in place instead of being delivered one after the other; known after the
  /// start.
  private(set) var isInterlaced = false
  /// What becomes of the colours.
  private(set) var coloring: Coloring?

  /// The most scans of one JPEG. 100: encoders write about 10, and each scan may cost as much time as a whole
  /// picture while being a few bytes long.
  static let mostScans: UInt32 = 100
  /// The most memory that libjpeg may take, which is what the coefficients of a progressive picture need.
  /// 512 MB: the budget of all pictures in the making.
  static let mostCodecMemory = 512 << 20

  /// A reader of a picture whose header was read and found within the limits.
  init(_ header: ImageHeader, _ framing: Framing) throws(LoadError) {
    format = header.format
    let codec: CodecFormat =
      switch header.format {
      case .png: .PNG
      case .jpeg: .JPEG
      }
    guard let handle = unsafe cellophane_reader_open(codec) else { throw .noMemoryForPixels }
    unsafe reader = handle
    self.framing = framing
  }

  deinit {
    unsafe cellophane_reader_close(reader)
  }

  /// Reads up to the pixels. Without `showsParts` the pixels of an interlaced picture mean nothing until all rows
  /// were read.
  mutating func start(_ input: Input, showsParts: Bool) throws(LoadError) -> Progress {
    let limits = CodecLimits(
      denominator: UInt32(framing.denominator), scans: Self.mostScans, memory: Self.mostCodecMemory,
      shows_parts: showsParts)
    let progress = try progress(
      unsafe Self.with(input) { unsafe cellophane_reader_start(reader, $0, limits) })
    guard progress == .done else { return progress }
    let layout = unsafe cellophane_reader_layout(reader)
    guard Int(layout.width) == framing.decoded.width, Int(layout.height) == framing.decoded.height else {
      throw LoadError(.corrupt, "the \(format.name) states its size in two ways")
    }
    isInterlaced = layout.interlaced
    return .done
  }

  /// Takes what becomes of the colours. To be called between the start and the first row.
  mutating func color(by coloring: consuming Coloring) {
    if coloring.takesInks { unsafe cellophane_reader_keep_inks(reader) }
    self.coloring = consume coloring
  }

  /// Reads the scans of a progressive JPEG.
  mutating func absorb(_ input: Input) throws(LoadError) -> Progress {
    try progress(unsafe Self.with(input) { unsafe cellophane_reader_absorb(reader, $0) })
  }

  /// How many scans were absorbed whole, or passes finished.
  var scans: Int { Int(unsafe cellophane_reader_scans(reader)) }

  /// Reads up to `count` rows into `pixels`, from `offset` bytes on. `rows` becomes the number of rows that were
  /// read, of an interlaced picture the number of those that show something; also when an error is thrown.
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

  /// Reads up to `count` rows and appends them; they must not be more than `pixels` has room for.
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

  /// Reads what follows the rows, so that a file that was cut off there is noticed.
  mutating func finish(_ input: Input) throws(LoadError) -> Progress {
    try progress(unsafe Self.with(input) { unsafe cellophane_reader_finish(reader, $0) })
  }

  /// True when only reading the whole file at once tells whether it is damaged.
  var isInDoubt: Bool { unsafe cellophane_reader_doubted(reader) }

  /// How many rows a picture of the scans so far has; 0 when rows come one after the other.
  var showable: Int { Int(unsafe cellophane_reader_showable(reader)) }

  /// Begins a picture of the scans so far.
  mutating func show() throws(LoadError) {
    _ = try progress(unsafe cellophane_reader_show(reader))
  }

  /// Reads up to `count` rows of that picture into `pixels`; how many it read.
  mutating func readShown<Element: BitwiseCopyable>(
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

  /// Lets `body` write up to `count` bytes of rows. The one place that all rows pass.
  private borrowing func fill(
    _ destination: UnsafeMutableRawBufferPointer, from offset: Int, _ count: Int,
    _ body: (UnsafeMutablePointer<UInt8>) -> CodecRows
  ) -> CodecRows {
    precondition(offset >= 0 && count >= 0 && offset + count <= destination.count)
    guard let start = destination.baseAddress else { return CodecRows(status: .corrupt, rows: 0) }
    let result = unsafe body((start + offset).assumingMemoryBound(to: UInt8.self))
    let rows = offset..<offset + Int(result.rows) * bytesPerRow
    unsafe coloring?.apply(toInks: UnsafeMutableRawBufferPointer(rebasing: destination[rows]))
    return result
  }

  private static func with(_ input: Input, _ body: (CodecInput) -> CodecStatus) -> CodecStatus {
    unsafe input.bytes.withUnsafeBufferPointer { file in
      guard let start = file.baseAddress else { return .truncated }
      return unsafe body(CodecInput(bytes: start, count: file.count, whole: input.isWhole))
    }
  }

  private borrowing func progress(_ status: CodecStatus) throws(LoadError) -> Progress {
    switch status {
    case .ready: return .done
    case .more: return .more
    case .starved: return .starved
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
