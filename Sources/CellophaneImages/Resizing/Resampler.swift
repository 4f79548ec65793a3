/// A resampler that reads the source row by row.
///
/// Each row of the result is written to the canvas when the last row that it depends on is added. The
/// resampler keeps only the data of the source that further rows of the result need.
///
/// Colors are weighted by alpha, so that transparent pixels do not bleed into edges. Transparent pixels of
/// the result are transparent black.
struct Resampler {
  /// Processes the rows until the first one that is not opaque, if the filter and the sizes allow it.
  private var averager: OpaqueAverager?
  /// Processes all other rows.
  private var filtering: FilteringResampler?
  /// A row with 0 in the alpha bytes and 255 in the color bytes.
  private let colorMask: [UInt8]
  private let columns, rows: ResamplingAxis

  /// Creates a resampler from `crop` of an image of `size` to `output`.
  ///
  /// All sides must be in 1...2^31, and the crop must be within the image.
  init(_ crop: Framing.Crop, of size: PixelSize, to output: PixelSize, filter: ResizeFilter) {
    columns = ResamplingAxis(
      start: crop.x, length: crop.width, limit: size.width, count: output.width, filter: filter)
    rows = ResamplingAxis(
      start: crop.y, length: crop.height, limit: size.height, count: output.height, filter: filter)
    averager = OpaqueAverager(columns: columns, rows: rows, width: size.width)
    if averager == nil {
      filtering = FilteringResampler(columns: columns, rows: rows, width: size.width)
      colorMask = []
    } else {
      colorMask = (0..<size.width * 4).map { $0 % 4 == 3 ? 0 : 255 }
    }
  }

  /// Adds the next complete row of the source. Writes the rows of the result that it completes to `canvas`.
  mutating func add(_ row: ArraySlice<UInt8>, to canvas: inout Canvas) {
    if averager != nil, !isOpaque(row.span) {
      filtering = averager.take().map { FilteringResampler(continuing: $0, columns: columns, rows: rows) }
    }
    averager?.add(row.span, to: &canvas)
    filtering?.add(row.span, to: &canvas)
  }

  private func isOpaque(_ row: Span<UInt8>) -> Bool {
    let colorMask = colorMask.span
    precondition(row.count == colorMask.count, "the row and the image have different widths")
    // No early exit, so that the compiler processes 16 bytes at once.
    var all = UInt8.max
    for index in 0..<row.count { all &= row[index] | colorMask[index] }
    return all == .max
  }

  /// Returns the peak memory of resampling, in bytes.
  static func workingBytes(from size: PixelSize, to output: PixelSize, filter: ResizeFilter) -> Int {
    // Includes both resamplers, because an image may need one after the other.
    let averager =
      size.width * (4 + MemoryLayout<SIMD4<UInt16>>.stride)
      + PairedWeights.maxBytes(from: size.width, to: output.width)
    let weights = 2 * MemoryLayout<Float>.stride * filter.overlap * (size.width + output.width)
    let pixel = MemoryLayout<SIMD4<Float>>.stride
    return averager + weights + size.width * pixel
      + output.width
      * (max(pixel * filter.overlap, RowInterpolator.bytesPerColumn) + pixel * 2
        + MemoryLayout<ResamplingWindow>.stride)
  }
}
