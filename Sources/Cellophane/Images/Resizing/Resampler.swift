/// Brings a picture to another size, row by row: the rows of the source are given one after the other, and
/// each row of the result goes to the canvas as soon as the last row that it depends on was given. No more of
/// the source is held than what rows of the result still need.
///
/// Colours count by their alpha, so that what is transparent does not bleed into edges; a pixel of the result
/// that is transparent is transparent black.
struct Resampler {
  /// Takes the rows as long as all of them are opaque, when the filter and the sizes allow it.
  private var averager: OpaqueAverager?
  /// Takes the rows otherwise.
  private var filtering: FilteringResampler?
  /// 0 where alpha is, in a row of pixels, and 255 elsewhere.
  private let colours: [UInt8]
  private let columns, rows: ResamplingAxis

  /// Brings `part` of a picture of `size` to `output`. All sides must be positive and at most 2^31, and the
  /// part must lie within the picture.
  init(_ part: Framing.Part, of size: PixelSize, to output: PixelSize, filter: ResizeFilter) {
    columns = ResamplingAxis(
      start: part.x, length: part.width, limit: size.width, count: output.width, filter: filter)
    rows = ResamplingAxis(
      start: part.y, length: part.height, limit: size.height, count: output.height, filter: filter)
    averager = OpaqueAverager(columns: columns, rows: rows, width: size.width)
    if averager == nil {
      filtering = FilteringResampler(columns: columns, rows: rows, width: size.width)
      colours = []
    } else {
      colours = (0..<size.width * 4).map { $0 % 4 == 3 ? 0 : 255 }
    }
  }

  /// Takes the next row of the source, whole; what it completes goes to `canvas`.
  mutating func add(_ row: ArraySlice<UInt8>, to canvas: inout Canvas) {
    if averager != nil, !isOpaque(row.span) {
      filtering = averager.take().map { FilteringResampler(continuing: $0, columns: columns, rows: rows) }
    }
    averager?.add(row.span, to: &canvas)
    filtering?.add(row.span, to: &canvas)
  }

  private func isOpaque(_ row: Span<UInt8>) -> Bool {
    let colours = colours.span
    precondition(row.count == colours.count, "the row has another width than the picture")
    // Without a way out, so that the compiler makes 16 bytes at once of it.
    var all = UInt8.max
    for index in 0..<row.count { all &= row[index] | colours[index] }
    return all == .max
  }

  /// The most memory that resampling holds, in bytes.
  static func workingBytes(from size: PixelSize, to output: PixelSize, filter: ResizeFilter) -> Int {
    // Both kinds count: one hands over to the other.
    let averager =
      size.width * (4 + MemoryLayout<SIMD4<UInt16>>.stride)
      + PairedWeights.mostBytes(from: size.width, to: output.width)
    let weights = 2 * MemoryLayout<Float>.stride * filter.overlap * (size.width + output.width)
    let pixel = MemoryLayout<SIMD4<Float>>.stride
    return averager + weights + size.width * pixel
      + output.width
      * (max(pixel * filter.overlap, RowInterpolator.bytesPerColumn) + pixel * 2
        + MemoryLayout<ResamplingWindow>.stride)
  }
}
