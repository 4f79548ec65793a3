/// A picture in the making: takes rows as the codec delivers them, and has the pixels asked for.
struct Drawing {
  private let framing: Framing
  private let byteCount: Int
  private let isInterlaced: Bool
  /// Rows of the source that were read; of an interlaced picture, those that show something.
  private(set) var rows = 0
  /// The result, when it is what the codec delivers: the rows so far, or all rows of an interlaced picture.
  private var pixels: [UInt8] = []
  /// Otherwise: a few rows of the source, or all of an interlaced one.
  private var source = PixelRows(width: 0, count: 0)
  /// How many rows of `source` wait to be reframed.
  private var waiting = 0
  private var reframing: Reframing?

  /// Rows taken together. 16: what one row of units of a JPEG with halved colours gives, and one cache line of
  /// pixels when a picture is turned on its side.
  static let stripHeight = 16

  /// A drawing of `byteCount` bytes. Their memory is set aside here, but touched only as rows come.
  init(_ framing: Framing, byteCount: Int, isInterlaced: Bool) {
    self.framing = framing
    self.byteCount = byteCount
    self.isInterlaced = isInterlaced
    let decoded = framing.decoded
    switch (framing.isWhole, isInterlaced) {
    case (true, false): pixels.reserveCapacity(byteCount)
    case (true, true): pixels = Array(repeating: 0, count: byteCount)
    case (false, true): source = PixelRows(width: decoded.width, count: decoded.height)
    case (false, false):
      source = PixelRows(width: decoded.width, count: min(decoded.height, Self.stripHeight))
      reframing = Reframing(framing, byteCount: byteCount)
    }
  }

  /// Reads what comes next. Done when all rows were read. Rows that were read before an error is thrown count.
  mutating func read(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    if isInterlaced { return try refine(&reader, input) }
    let progress =
      framing.isWhole ? try append(&reader, input) : try reframe(&reader, input)
    return rows == framing.decoded.height ? .done : progress == .starved ? .starved : .more
  }

  private mutating func refine(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let height = framing.decoded.height
    var shown = rows
    defer { rows = shown }
    if framing.isWhole {
      var span = pixels.mutableSpan
      return try reader.read(height, of: input, to: &span, rows: &shown)
    }
    var span = source.pixels.mutableSpan
    return try reader.read(height, of: input, to: &span, rows: &shown)
  }

  private mutating func append(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let left = framing.decoded.height - rows
    var added = 0
    var outcome = Result<RowReader.Progress, LoadError>.success(.more)
    pixels.append(addingCapacity: byteCount - pixels.count) { span in
      outcome = Result { () throws(LoadError) in
        try reader.read(left, of: input, appendingTo: &span, rows: &added)
      }
    }
    rows += added
    return try outcome.get()
  }

  private mutating func reframe(
    _ reader: inout RowReader, _ input: RowReader.Input
  ) throws(LoadError) -> RowReader.Progress {
    let height = framing.decoded.height
    let wanted = min(Self.stripHeight - waiting, height - rows)
    var added = 0
    var progress = RowReader.Progress.starved
    defer {
      rows += added
      waiting += added
      // Whole strips, as far as there are any.
      if progress == .starved || waiting == Self.stripHeight || rows == height {
        reframing?.add(source, rows: 0..<waiting)
        waiting = 0
      }
    }
    let offset = waiting * framing.decoded.width * 4
    var span = source.pixels.mutableSpan
    progress = try reader.read(wanted, of: input, to: &span, at: offset, rows: &added)
    return progress
  }

  /// The pixels so far: transparent black where there are none.
  func preview(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    if let reframing { return reframing.pixels }
    guard framing.isWhole else { return try reframed(watch) }
    var whole = pixels
    let missing = byteCount - pixels.count
    whole.append(addingCapacity: missing) { $0.append(repeating: 0, count: missing) }
    return whole
  }

  /// The pixels, when all rows were read.
  func result(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    if let reframing { return reframing.pixels }
    return framing.isWhole ? pixels : try reframed(watch)
  }

  private func reframed(_ watch: DecodingWatch) throws(LoadError) -> [UInt8] {
    var whole = Reframing(framing, byteCount: byteCount)
    // A million pixels: some ten milliseconds, even where each is a row.
    let step = max(1, (1 << 20) / framing.decoded.width)
    for row in stride(from: 0, to: rows, by: step) {
      try watch.look()
      whole.add(source, rows: row..<min(row + step, rows))
    }
    return whole.pixels
  }
}

extension Drawing {
  /// The pixels of the scans that `reader` absorbed so far.
  static func shown(
    _ reader: inout RowReader, _ framing: Framing, byteCount: Int, _ watch: DecodingWatch
  ) throws(LoadError) -> [UInt8] {
    let rows = reader.showable
    try reader.show()
    var (next, offset) = (0, 0)
    if framing.isWhole {
      var pixels = [UInt8](repeating: 0, count: byteCount)
      var span = pixels.mutableSpan
      while next < rows {
        try watch.look()
        let count = try reader.readShown(min(stripHeight, rows - next), to: &span, at: offset)
        next += count
        offset += count * framing.decoded.width * 4
      }
      return pixels
    }
    var reframing = Reframing(framing, byteCount: byteCount)
    var source = PixelRows(width: framing.decoded.width, count: stripHeight)
    while next < rows {
      try watch.look()
      var span = source.pixels.mutableSpan
      let count = try reader.readShown(min(stripHeight, rows - next), to: &span)
      reframing.add(source, rows: 0..<count)
      next += count
    }
    return reframing.pixels
  }
}
