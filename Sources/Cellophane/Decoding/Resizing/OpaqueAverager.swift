/// Area averages of opaque pictures in whole numbers: the road of nearly every thumbnail. Rows are summed up
/// first, which is one plain loop over the bytes of a row; columns follow once per row of the result.
///
/// Sums of rows have 8 bits of value and 8 of fraction, weights 16 bits of fraction. Error, in levels, with at
/// most n pixels in a window: each row loses less than 1/256 by cutting, and half of that is given back in
/// advance, so ±n/512; weights are off by less than 1/65535, and their errors cancel, so that at most n/2 of them
/// move from black to white: n/514 for rows and as much for columns; and 0.01 because weights sum up to 65535
/// and not to 65536. With n = 32 that is 0.2 before rounding: the result is the exact mean rounded, or next to it.
struct OpaqueAverager {
  /// The most pixels in a window. 32: see above; a JPEG is decoded so much smaller that it never gets there.
  static let longestWindow = 32

  private let columns: WeightTable<UInt16>
  private let rows: ResamplingAxis
  /// The rows summed up so far, 4 numbers per pixel.
  private(set) var sums: [UInt16]
  private var window: ResamplingWindow
  private var weights: [UInt16]
  /// The next row of the source and the row of the result in the making.
  private(set) var sourceRow = 0
  private(set) var outputRow = 0
  private var finished: PixelRows

  /// Nil for what it cannot do: kernels with negative weights, windows too long, enlarging from top to bottom.
  init?(columns axis: ResamplingAxis, rows: ResamplingAxis, width: Int) {
    guard rows.isAveraged, !rows.isEnlarged, rows.longestWindow <= Self.longestWindow,
      axis.longestWindow <= Self.longestWindow
    else { return nil }
    columns = WeightTable(axis, make: Self.weights)
    self.rows = rows
    window = rows.window(at: 0)
    weights = Self.weights(of: rows, at: 0)
    sums = Array(repeating: Self.start(window), count: width * 4)
    finished = PixelRows(width: axis.count, count: 1)
  }

  /// Half of what cutting is going to lose.
  private static func start(_ window: ResamplingWindow) -> UInt16 { UInt16(window.count / 2) }

  /// Weights that sum up to 65535 exactly.
  private static func weights(of axis: ResamplingAxis, at index: Int) -> [UInt16] {
    let window = axis.window(at: index)
    let exact = (window.first...window.last).map { axis.weight(of: $0, at: index) }
    let scale = 65_535 / exact.reduce(0, +)
    var (sum, given) = (0.0, 0.0)
    return exact.map { weight in
      sum += weight * scale
      let share = min(sum, 65_535).rounded() - given
      given += share
      return UInt16(share)
    }
  }

  mutating func add(_ row: Span<UInt8>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    while outputRow < rows.count, window.first <= sourceRow {
      sumUp(row, weight: weights[sourceRow - window.first])
      guard window.last == sourceRow else { return }
      finish()
      canvas.place(finished, columns: 0..<finished.width, rows: 0..<1, y: outputRow)
      outputRow += 1
      guard outputRow < rows.count else { return }
      window = rows.window(at: outputRow)
      weights = Self.weights(of: rows, at: outputRow)
      reset()
    }
  }

  private mutating func reset() {
    let start = Self.start(window)
    var sums = sums.mutableSpan
    sums.update(repeating: start)
  }

  /// 16 bits each, and no carry from a product to the next: the compiler makes 8 numbers at once of it.
  private mutating func sumUp(_ row: Span<UInt8>, weight: UInt16) {
    var sums = sums.mutableSpan
    precondition(row.count == sums.count, "the row has another width than the picture")
    let (whole, fraction) = (weight >> 8, weight & 0xFF)
    for index in 0..<row.count {
      let value = UInt16(row[index])
      sums[index] &+= value &* whole &+ (value &* fraction) &>> 8
    }
  }

  private mutating func finish() {
    let (sums, windows, weights) = (sums, columns.windows, columns.weights)
    var pixels = finished.pixels.mutableSpan
    var next = 0
    for column in windows.indices {
      // A half, to round, and half of what is missing because weights do not sum up to 65536. At most
      // (255 * 256 + 16) * 65535, and this, are less than 2^32.
      var sum = SIMD4<UInt32>(repeating: 1 << 23 + 1 << 16)
      for source in windows[column].first...windows[column].last {
        sum &+= SIMD4<UInt32>(truncatingIfNeeded: sums.span.sums(of: source)) &* UInt32(weights[next])
        next += 1
      }
      pixels.store(SIMD4(truncatingIfNeeded: sum &>> 24), at: column * 4)
    }
  }

  /// The sums as fractions of 0...255, each pixel times the share of its window that was taken.
  var fractions: [SIMD4<Float>] {
    stride(from: 0, to: sums.count, by: 4).map { at in
      let sum = SIMD4(sums[at], sums[at + 1], sums[at + 2], sums[at + 3])
      return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sum)) * (256 / 65_535)
    }
  }
}
