extension RowReader {
  /// Rows read between two looks at cancellation. 16: what one row of units of a JPEG with halved colours
  /// gives, and one cache line of pixels when a picture is turned on its side.
  private static let stripHeight = 16

  /// All rows as they are: `byteCount` bytes.
  mutating func readWhole(byteCount: Int) throws(LoadError) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: byteCount)
    for _ in 0..<passes {
      for rows in strips {
        if Task.isCancelled { throw .cancelled }
        var span = pixels.mutableSpan
        try read(rows.count, to: &span, at: rows.lowerBound * size.width * 4)
      }
    }
    return pixels
  }

  /// The picture that `framing` asks for: `byteCount` bytes. Holds a few rows of the source at a time, or all
  /// of it when it is interlaced.
  mutating func readReframed(_ framing: Framing, byteCount: Int) throws(LoadError) -> [UInt8] {
    var result = Reframing(framing, byteCount: byteCount)
    let isInterlaced = passes > 1
    var source = PixelRows(
      width: size.width, count: isInterlaced ? size.height : min(size.height, Self.stripHeight))
    for pass in 0..<passes {
      for rows in strips {
        if Task.isCancelled { throw .cancelled }
        let first = isInterlaced ? rows.lowerBound : 0
        var span = source.pixels.mutableSpan
        try read(rows.count, to: &span, at: first * size.width * 4)
        if pass == passes - 1 { result.add(source, rows: first..<first + rows.count) }
      }
    }
    return result.pixels
  }

  private var strips: [Range<Int>] {
    stride(from: 0, to: size.height, by: Self.stripHeight)
      .map { $0..<min($0 + Self.stripHeight, size.height) }
  }

  /// What decoding holds beside its result and the coefficients, in bytes.
  static func workingBytes(_ header: ImageHeader, _ framing: Framing) -> Int {
    let row = framing.decoded.width * 4
    let isWholeHeld = header.format == .png && header.isProgressive && !framing.isWhole
    let source = framing.isWhole ? 0 : isWholeHeld ? row * framing.decoded.height : row * stripHeight
    let resampler = framing.isReduced ? framing.output.width * AreaResampler.bytesPerColumn : 0
    return source + resampler + codecBytes(header)
  }

  /// What the codec itself holds: libpng two rows of up to 8 bytes per pixel and zlib's window of 32 KB;
  /// libjpeg up to four components of about five rows of units (8 or 16 high) before and after upsampling.
  private static func codecBytes(_ header: ImageHeader) -> Int {
    switch header.format {
    case .png: header.size.width * 2 * 8 + 64 << 10
    case .jpeg: header.size.width * 4 * 5 * 8 + 64 << 10
    }
  }
}

/// Turns rows as the codec delivers them into the picture asked for.
private struct Reframing {
  private var canvas: Canvas
  private var resampler: AreaResampler?
  /// Without a resampler: what is kept, on whole pixels.
  private let columns, rows: Range<Int>
  private var nextRow = 0

  init(_ framing: Framing, byteCount: Int) {
    canvas = Canvas(framing.output, byteCount: byteCount, orientation: framing.orientation)
    resampler =
      framing.isReduced ? AreaResampler(framing.part, of: framing.decoded, to: framing.output) : nil
    let (x, y) = (Int(framing.part.x), Int(framing.part.y))
    columns = x..<x + framing.output.width
    rows = y..<y + framing.output.height
  }

  var pixels: [UInt8] { canvas.pixels }

  mutating func add(_ source: PixelRows, rows added: Range<Int>) {
    let offset = nextRow - added.lowerBound
    nextRow += added.count
    if resampler != nil {
      for row in added {
        resampler?.add(source.pixels[source.range(of: row, columns: 0..<source.width)], to: &canvas)
      }
      return
    }
    let kept = (added.lowerBound + offset..<added.upperBound + offset).clamped(to: rows)
    guard !kept.isEmpty else { return }
    canvas.place(
      source, columns: columns, rows: kept.lowerBound - offset..<kept.upperBound - offset,
      y: kept.lowerBound - rows.lowerBound)
  }
}
