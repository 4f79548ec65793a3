/// Resampling with any weights, of pictures with or without alpha, in floating point. Columns come first, so that
/// only as much as a row of the result has is kept of each row; but rows do where they are reduced and columns
/// enlarged: else a narrow, tall picture would cost the rows of the source times the columns of the result.
struct FilteringResampler {
  private let columns: FractionWeights
  private let rows: ResamplingAxis
  private let rowsFirst: Bool
  /// One row of the source, colours times alpha.
  private var source: [SIMD4<Float>]
  /// The same row with the columns of the result; when rows come first, those of the row in the making.
  private var row: [SIMD4<Float>]
  /// When rows are reduced: the sums of those rows of the result to which the row of the source counts, row y
  /// in the place of y modulo their number. With the columns of the source when rows come first.
  private var kept: [[SIMD4<Float>]] = []
  /// The weights summed up in each of `kept`.
  private var totals: [Float] = []
  /// When rows are enlarged.
  private var interpolator: RowInterpolator?
  private var sourceRow = 0
  private var outputRow = 0
  private var finished: PixelRows

  /// How many pixels of enlarged rows are placed at once. 4096: what placing them costs besides no longer counts,
  /// and they stay in the fastest cache.
  private static let stripPixels = 4096

  init(columns axis: ResamplingAxis, rows: ResamplingAxis, width: Int) {
    columns = FractionWeights(axis)
    self.rows = rows
    rowsFirst = axis.isEnlarged && !rows.isEnlarged
    source = Array(repeating: .zero, count: width)
    row = Array(repeating: .zero, count: axis.count)
    if rows.isEnlarged {
      interpolator = RowInterpolator(rows, width: axis.count)
      finished = PixelRows(width: axis.count, count: max(1, Self.stripPixels / axis.count))
    } else {
      kept = Array(repeating: rowsFirst ? source : row, count: rows.overlap)
      totals = Array(repeating: 0, count: rows.overlap)
      finished = PixelRows(width: axis.count, count: 1)
    }
  }

  /// Goes on where `averager` has met the first row that is not opaque.
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
    let place = outputRow % kept.count
    kept[place] = rowsFirst ? source : row
    let taken = first..<sourceRow
    totals[place] = Float(taken.reduce(0) { $0 + rows.weight(of: $1, at: outputRow) })
  }

  mutating func add(_ pixels: Span<UInt8>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    guard outputRow < rows.count, rows.window(at: outputRow).first <= sourceRow || rows.isEnlarged else {
      return
    }
    load(pixels)
    if !rowsFirst { reduceColumns(of: source) }
    if rows.isEnlarged {
      interpolator?.put(row)
      interpolate(to: &canvas)
    } else {
      distribute(to: &canvas)
    }
  }

  /// Adds the row to all rows of the result that depend on it.
  private mutating func distribute(to canvas: inout Canvas) {
    for output in outputRow..<min(outputRow + kept.count, rows.count) {
      let window = rows.window(at: output)
      guard window.first <= sourceRow else { return }
      let place = output % kept.count
      let weight = Float(rows.weight(of: sourceRow, at: output))
      kept[place].add(rowsFirst ? source : row, times: weight)
      totals[place] += weight
      guard window.last == sourceRow else { continue }
      finish(kept[place], total: totals[place], to: &canvas)
      kept[place].clear()
      totals[place] = 0
    }
  }

  /// Makes all rows of the result for which the row was the last missing one.
  private mutating func interpolate(to canvas: inout Canvas) {
    let end = rows.firstIndex(from: outputRow, dependingBeyond: sourceRow)
    while outputRow < end {
      let made = outputRow..<min(outputRow + finished.count, end)
      interpolator?.blend(made, into: &finished)
      canvas.place(finished, columns: 0..<finished.width, rows: 0..<made.count, y: outputRow)
      outputRow = made.upperBound
    }
  }

  private mutating func finish(_ sums: [SIMD4<Float>], total: Float, to canvas: inout Canvas) {
    if rowsFirst { reduceColumns(of: sums) }
    let sums = (rowsFirst ? row : sums).span
    var pixels = finished.pixels.mutableSpan
    for column in sums.indices {
      pixels.store(Self.pixel(sums[column] * (1 / total)), at: column * 4)
    }
    canvas.place(finished, columns: 0..<finished.width, rows: 0..<1, y: outputRow)
    outputRow += 1
  }

  /// Colours without alpha again. Lanczos may overshoot both ways.
  static func pixel(_ weighed: SIMD4<Float>) -> SIMD4<UInt8> {
    let alpha = weighed.w
    guard alpha >= 0.5 else { return .zero }
    // Rounding errors of what is opaque must not reach its colours.
    var mean = abs(alpha - 255) < 0.001 ? weighed : weighed * (255 / alpha)
    mean.w = alpha
    // Half up.
    mean += 0.5
    return SIMD4(level(mean.x), level(mean.y), level(mean.z), level(mean.w))
  }

  private static func level(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 255)) }

  private mutating func load(_ pixels: Span<UInt8>) {
    var source = source.mutableSpan
    precondition(pixels.count == source.count * 4, "the row has another width than the picture")
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
