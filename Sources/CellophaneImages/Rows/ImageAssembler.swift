/// Assembles an image from the rows that the codec delivers, and applies the framing.
package struct ImageAssembler {
  private let framing: Framing
  private let byteCount: Int
  private let isInterlaced: Bool
  /// True if rows are only checked.
  private let discardsPixels: Bool
  /// The number of rows of the source read so far. In an interlaced image, the rows with content.
  private(set) var rows = 0
  /// The result if the framing changes nothing: the rows so far, or all rows of an interlaced image.
  private var pixels: [UInt8] = []
  /// The source if the framing changes it: a few rows, or all rows of an interlaced image.
  private var source = PixelRows(width: 0, count: 0)
  /// The number of rows in `source` that are not reframed yet.
  private var pendingRows = 0
  private var reframer: Reframer?

  /// The number of rows that are processed together.
  ///
  /// 16 is the height of one row of units in a JPEG with vertically subsampled chroma. 16 pixels also fill
  /// one cache line when an image is rotated by 90 degrees.
  package static let stripHeight = 16

  /// Creates an assembler of `byteCount` bytes of pixels. Their memory is reserved here and used as rows
  /// arrive.
  init(_ framing: Framing, byteCount: Int, isInterlaced: Bool, discardsPixels: Bool = false) {
    self.framing = framing
    self.byteCount = byteCount
    self.isInterlaced = isInterlaced
    self.discardsPixels = discardsPixels
    let decoded = framing.decoded
    if discardsPixels {
      if !isInterlaced {
        source = PixelRows(width: decoded.width, count: min(decoded.height, Self.stripHeight))
      }
      return
    }
    switch (framing.isIdentity, isInterlaced) {
    case (true, false): pixels.reserveCapacity(byteCount)
    case (true, true): pixels = Array(repeating: 0, count: byteCount)
    case (false, true): source = PixelRows(width: decoded.width, count: decoded.height)
    case (false, false):
      source = PixelRows(width: decoded.width, count: min(decoded.height, Self.stripHeight))
      reframer = Reframer(framing, byteCount: byteCount)
    }
  }

  /// Reads the next rows. Returns `done` after the last row. Rows that were read before an error are kept.
  mutating func read(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    if discardsPixels { return try discard(&reader, input) }
    if isInterlaced { return try refine(&reader, input) }
    let progress =
      framing.isIdentity ? try append(&reader, input) : try reframe(&reader, input)
    return rows == framing.decoded.height ? .done : progress == .starved ? .starved : .more
  }

  private mutating func discard(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let height = framing.decoded.height
    if isInterlaced { return try reader.check(height, of: input) }
    var added = 0
    defer { rows += added }
    let wanted = min(Self.stripHeight, height - rows)
    var span = source.pixels.mutableSpan
    let progress = try reader.read(wanted, of: input, to: &span, rows: &added)
    return rows + added == height ? .done : progress == .starved ? .starved : .more
  }

  private mutating func refine(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let height = framing.decoded.height
    var visibleRows = rows
    defer { rows = visibleRows }
    if framing.isIdentity {
      var span = pixels.mutableSpan
      return try reader.read(height, of: input, to: &span, rows: &visibleRows)
    }
    var span = source.pixels.mutableSpan
    return try reader.read(height, of: input, to: &span, rows: &visibleRows)
  }

  private mutating func append(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let missingRows = framing.decoded.height - rows
    var added = 0
    var outcome = Result<RowReader.Progress, LoadError>.success(.more)
    pixels.append(addingCapacity: byteCount - pixels.count) { span in
      outcome = Result { () throws(LoadError) in
        try reader.read(missingRows, of: input, appendingTo: &span, rows: &added)
      }
    }
    rows += added
    return try outcome.get()
  }

  private mutating func reframe(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let height = framing.decoded.height
    let wanted = min(Self.stripHeight - pendingRows, height - rows)
    var added = 0
    var progress = RowReader.Progress.starved
    defer {
      rows += added
      pendingRows += added
      // Reframes complete strips, and the rows at hand if the input is used up.
      if progress == .starved || pendingRows == Self.stripHeight || rows == height {
        reframer?.add(source, rows: 0..<pendingRows)
        pendingRows = 0
      }
    }
    let offset = pendingRows * framing.decoded.width * 4
    var span = source.pixels.mutableSpan
    progress = try reader.read(wanted, of: input, to: &span, at: offset, rows: &added)
    return progress
  }

  /// Returns the pixels decoded so far. Missing pixels are transparent black.
  func preview(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    if let reframer { return reframer.pixels }
    guard framing.isIdentity else { return try reframed(watch) }
    var result = pixels
    let missing = byteCount - pixels.count
    result.append(addingCapacity: missing) { $0.append(repeating: 0, count: missing) }
    return result
  }

  /// Returns the pixels after all rows were read.
  func result(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    if let reframer { return reframer.pixels }
    return framing.isIdentity || discardsPixels ? pixels : try reframed(watch)
  }

  private func reframed(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    var reframer = Reframer(framing, byteCount: byteCount)
    // A million pixels take about ten milliseconds, even in rows of one pixel.
    let step = max(1, (1 << 20) / framing.decoded.width)
    for row in stride(from: 0, to: rows, by: step) {
      try watch.check()
      reframer.add(source, rows: row..<min(row + step, rows))
    }
    return reframer.pixels
  }
}

extension ImageAssembler {
  /// Returns the pixels of the scans that `reader` has absorbed so far.
  static func scanPreview(
    _ reader: inout RowReader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8] {
    let rows = reader.scanPreviewRows
    try reader.startScanPreview()
    var (next, offset) = (0, 0)
    if framing.isIdentity {
      var pixels = [UInt8](repeating: 0, count: byteCount)
      var span = pixels.mutableSpan
      while next < rows {
        try watch.check()
        let count = try reader.readScanPreview(min(stripHeight, rows - next), to: &span, at: offset)
        next += count
        offset += count * framing.decoded.width * 4
      }
      return pixels
    }
    var reframer = Reframer(framing, byteCount: byteCount)
    var source = PixelRows(width: framing.decoded.width, count: stripHeight)
    while next < rows {
      try watch.check()
      var span = source.pixels.mutableSpan
      let count = try reader.readScanPreview(min(stripHeight, rows - next), to: &span)
      reframer.add(source, rows: 0..<count)
      next += count
    }
    return reframer.pixels
  }
}
