/// The newest rows of a picture that is enlarged from top to bottom, and the rows of the result between them.
struct RowInterpolator {
  /// The newest pixels of a column, the newest last: as many as ``ResamplingAxis/neighbourWeights(upTo:at:)``.
  private typealias Column = InlineArray<8, SIMD4<Float>>

  private let rows: ResamplingAxis
  private var columns: [Column]
  /// The newest row.
  private var newest = -1

  init(_ rows: ResamplingAxis, width: Int) {
    self.rows = rows
    columns = Array(repeating: Column(repeating: .zero), count: width)
  }

  /// The memory that each column takes, in bytes.
  static var bytesPerColumn: Int { MemoryLayout<Column>.stride }

  /// Takes the next row of the source.
  mutating func put(_ row: [SIMD4<Float>]) {
    newest += 1
    let row = row.span
    var columns = columns.mutableSpan
    for index in columns.indices {
      for place in 1..<8 { columns[index][place - 1] = columns[index][place] }
      columns[index][7] = row[index]
    }
  }

  /// Makes rows of the result whose windows end with the newest row.
  func blend(_ made: Range<Int>, into strip: inout PixelRows) {
    let columns = columns.span
    var pixels = strip.pixels.mutableSpan
    var next = 0
    for index in made {
      let weights = rows.neighbourWeights(upTo: newest, at: index)
      for column in columns.indices {
        var sum = SIMD4<Float>.zero
        for place in 0..<8 { sum += columns[column][place] * weights[place] }
        pixels.store(FilteringResampler.pixel(sum), at: next)
        next += 4
      }
    }
  }
}
