/// A floating-point resampler for any filter, with or without alpha.
///
/// Columns are resampled first, so that only the columns of the result are kept of each row. If rows are
/// reduced and columns enlarged, rows are resampled first. Otherwise the cost of a narrow, tall image would
/// be the rows of the source times the columns of the result.
struct FilteringResampler {
  private let columns: FractionWeights
  private let rows: ResamplingAxis
  private let rowsFirst: Bool
  /// One row of the source, with premultiplied alpha.
  private var source: [SIMD4<Float>]
  /// The same row with the columns of the result. If rows are resampled first: the current row of the result.
  private var row: [SIMD4<Float>]
  /// If rows are reduced: the partial sums of the rows of the result that depend on the current row of the
  /// source.
  ///
  /// The sum for row y has the index y modulo the number of sums. If rows are resampled first, the sums have
  /// the columns of the source.
  private var partialSums: [[SIMD4<Float>]] = []
  /// The sum of the weights in each of ``partialSums``.
  private var totalWeights: [Float] = []
  /// The interpolator, if rows are enlarged.
  private var interpolator: RowInterpolator?
  private var sourceRow = 0
  private var outputRow = 0
  private var outputRows: PixelRows

  /// The number of pixels of enlarged rows that are written together. 4096: the overhead of a call is
  /// negligible, and the pixels fit in the L1 cache.
  private static let stripPixels = 4096

  init(columns axis: ResamplingAxis, rows: ResamplingAxis, width: Int) {
    columns = FractionWeights(axis)
    self.rows = rows
    rowsFirst = axis.isEnlarged && !rows.isEnlarged
    source = Array(repeating: .zero, count: width)
    row = Array(repeating: .zero, count: axis.count)
    if rows.isEnlarged {
      interpolator = RowInterpolator(rows, width: axis.count)
      outputRows = PixelRows(width: axis.count, count: max(1, Self.stripPixels / axis.count))
    } else {
      partialSums = Array(repeating: rowsFirst ? source : row, count: rows.overlap)
      totalWeights = Array(repeating: 0, count: rows.overlap)
      outputRows = PixelRows(width: axis.count, count: 1)
    }
  }

  /// Continues the work of `averager` at the first row that is not opaque.
  init(
    continuing averager: OpaqueAverager, columns axis: ResamplingAxis, rows: ResamplingAxis
  ) {
    self.init(columns: axis, rows: rows, width: averager.width)
    sourceRow = averager.sourceRow
    outputRow = averager.outputRow
    guard outputRow < rows.count else { return }
    let first = rows.window(at: outputRow).first
    guard first < sourceRow else { return }
    source = averager.fractions
    if !rowsFirst { reduceColumns(of: source) }
    let index = outputRow % partialSums.count
    partialSums[index] = rowsFirst ? source : row
    let added = first..<sourceRow
    totalWeights[index] = Float(added.reduce(0) { $0 + rows.weight(of: $1, at: outputRow) })
  }

  mutating func add(_ pixels: Span<UInt8>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    guard outputRow < rows.count, rows.window(at: outputRow).first <= sourceRow || rows.isEnlarged else {
      return
    }
    load(pixels)
    if !rowsFirst { reduceColumns(of: source) }
    if rows.isEnlarged {
      interpolator?.add(row)
      interpolate(to: &canvas)
    } else {
      distribute(to: &canvas)
    }
  }

  /// Adds the current row to the sums of all rows of the result that depend on it.
  private mutating func distribute(to canvas: inout Canvas) {
    for output in outputRow..<min(outputRow + partialSums.count, rows.count) {
      let window = rows.window(at: output)
      guard window.first <= sourceRow else { return }
      let index = output % partialSums.count
      let weight = Float(rows.weight(of: sourceRow, at: output))
      partialSums[index].add(rowsFirst ? source : row, times: weight)
      totalWeights[index] += weight
      guard window.last == sourceRow else { continue }
      finish(partialSums[index], total: totalWeights[index], to: &canvas)
      partialSums[index].clear()
      totalWeights[index] = 0
    }
  }

  /// Computes all rows of the result that were missing only the current row.
  private mutating func interpolate(to canvas: inout Canvas) {
    let end = rows.firstIndex(from: outputRow, dependingBeyond: sourceRow)
    while outputRow < end {
      let range = outputRow..<min(outputRow + outputRows.count, end)
      interpolator?.blend(range, into: &outputRows)
      canvas.write(outputRows, columns: 0..<outputRows.width, rows: 0..<range.count, y: outputRow)
      outputRow = range.upperBound
    }
  }

  private mutating func finish(_ sums: [SIMD4<Float>], total: Float, to canvas: inout Canvas) {
    if rowsFirst { reduceColumns(of: sums) }
    let sums = (rowsFirst ? row : sums).span
    var pixels = outputRows.pixels.mutableSpan
    for column in sums.indices {
      pixels.store(Self.pixel(sums[column] * (1 / total)), at: column * 4)
    }
    canvas.write(outputRows, columns: 0..<outputRows.width, rows: 0..<1, y: outputRow)
    outputRow += 1
  }

  /// Converts a premultiplied mean to a pixel with straight alpha. Lanczos values may exceed the range on
  /// both sides.
  static func pixel(_ premultiplied: SIMD4<Float>) -> SIMD4<UInt8> {
    let alpha = premultiplied.w
    guard alpha >= 0.5 else { return .zero }
    // A rounding error in the alpha of an opaque pixel must not change its color.
    var mean = abs(alpha - 255) < 0.001 ? premultiplied : premultiplied * (255 / alpha)
    mean.w = alpha
    // Rounds half up.
    mean += 0.5
    return SIMD4(level(mean.x), level(mean.y), level(mean.z), level(mean.w))
  }

  private static func level(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }

  private mutating func load(_ pixels: Span<UInt8>) {
    var source = source.mutableSpan
    precondition(pixels.count == source.count * 4, "the row and the image have different widths")
    for column in source.indices {
      let pixel = pixels.pixel(at: column * 4)
      let value = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pixel))
      let share = value.w * (1 / 255)
      source[column] = pixel.w == 255 ? value : value * SIMD4(share, share, share, 1)
    }
  }

  private mutating func reduceColumns(of source: [SIMD4<Float>]) {
    let (windows, weights) = (columns.windows, columns.weights)
    var row = row.mutableSpan
    var next = 0
    for column in windows.indices {
      var sum = SIMD4<Float>.zero
      for pixel in windows[column].first...windows[column].last {
        sum += source[pixel] * weights[next]
        next += 1
      }
      row[column] = sum
    }
  }
}

extension [SIMD4<Float>] {
  fileprivate mutating func add(_ other: [SIMD4<Float>], times weight: Float) {
    let other = other.span
    var sums = mutableSpan
    for index in sums.indices { sums[index] += other[index] * weight }
  }

  fileprivate mutating func clear() {
    var sums = mutableSpan
    sums.update(repeating: .zero)
  }
}
