/// An interpolator of rows for an image that is enlarged in the vertical direction.
struct RowInterpolator {
  /// The last pixels of a column in order, as many as in ``ResamplingAxis/neighborWeights(upTo:at:)``.
  private typealias Column = InlineArray<8, SIMD4<Float>>

  private let rows: ResamplingAxis
  private var columns: [Column]
  /// The index of the last row that was added.
  private var lastRow = -1

  init(_ rows: ResamplingAxis, width: Int) {
    self.rows = rows
    columns = Array(repeating: Column(repeating: .zero), count: width)
  }

  /// The memory for each column, in bytes.
  static var bytesPerColumn: Int { MemoryLayout<Column>.stride }

  /// Adds the next row of the source.
  mutating func add(_ row: [SIMD4<Float>]) {
    lastRow += 1
    let row = row.span
    var columns = columns.mutableSpan
    for index in columns.indices {
      for position in 1..<8 { columns[index][position - 1] = columns[index][position] }
      columns[index][7] = row[index]
    }
  }

  /// Computes a range of rows of the result whose windows end with the last row.
  func blend(_ range: Range<Int>, into strip: inout PixelRows) {
    let columns = columns.span
    var pixels = strip.pixels.mutableSpan
    var next = 0
    for index in range {
      let weights = rows.neighborWeights(upTo: lastRow, at: index)
      for column in columns.indices {
        var sum = SIMD4<Float>.zero
        for position in 0..<8 { sum += columns[column][position] * weights[position] }
        pixels.store(FilteringResampler.pixel(sum), at: next)
        next += 4
      }
    }
  }
}
