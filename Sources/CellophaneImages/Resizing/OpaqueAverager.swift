/// An area average of opaque images in integer arithmetic: the path of nearly every thumbnail.
///
/// Rows are summed first, in one simple loop over the bytes of a row. Columns follow once per row of the
/// result.
///
/// Sums of rows have 8 bits of value and 8 bits of fraction. Weights have 16 bits of fraction. The error in
/// levels, with at most n pixels in a window, has three parts:
///
/// - Truncation loses less than 1/256 per row. Half of that is added in advance, so the error is ±n/512. The
///   same applies to columns.
/// - Weights have errors below 1/65535 that cancel each other, so at most n/2 of them move from black to
///   white. The error is n/514 for rows and the same for columns.
/// - Weights sum to 65535 instead of 65536, an error of 0.01.
///
/// For n = 32 the error is 0.26 before rounding: the result is the rounded exact mean or an adjacent value.
struct OpaqueAverager {
  /// The maximum number of pixels in a window. 32 follows from the error. A JPEG never reaches it, because it
  /// is decoded at a reduced scale.
  static let longestWindow = 32

  private let columns: PairedWeights
  private let rows: ResamplingAxis
  /// The number of pixels in a row of the source.
  let width: Int
  /// The sum of the rows so far, 4 numbers per pixel, and padding pixels at the end that have weight 0.
  private var sums: [UInt16]
  private var window: ResamplingWindow
  private var weights = IntegerWeights()
  /// The next row of the source.
  private(set) var sourceRow = 0
  /// The current row of the result.
  private(set) var outputRow = 0
  private var resultRow: PixelRows

  /// Creates an averager. Returns nil for filters with negative weights, for windows above ``longestWindow``,
  /// and for enlarging in the vertical direction.
  init?(columns axis: ResamplingAxis, rows: ResamplingAxis, width: Int) {
    guard rows.isAveraged, !rows.isEnlarged, rows.longestWindow <= Self.longestWindow,
      axis.longestWindow <= Self.longestWindow
    else { return nil }
    columns = PairedWeights(axis)
    self.rows = rows
    self.width = width
    window = rows.window(at: 0)
    weights.set(window, of: rows, at: 0)
    sums = Array(repeating: Self.start(window), count: (width + columns.pairs * 2 - 1) * 4)
    resultRow = PixelRows(width: axis.count, count: 1)
  }

  /// Returns half of the loss by truncation, the initial value of the sums.
  private static func start(_ window: ResamplingWindow) -> UInt16 { UInt16(window.count / 2) }

  mutating func add(_ row: Span<UInt8>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    while outputRow < rows.count, window.first <= sourceRow {
      sumUp(row, weight: weights.weights[sourceRow - window.first])
      guard window.last == sourceRow else { return }
      finish()
      canvas.write(resultRow, columns: 0..<resultRow.width, rows: 0..<1, y: outputRow)
      outputRow += 1
      guard outputRow < rows.count else { return }
      window = rows.window(at: outputRow)
      weights.set(window, of: rows, at: outputRow)
      reset()
    }
  }

  private mutating func reset() {
    let start = Self.start(window)
    var sums = sums.mutableSpan
    sums.update(repeating: start)
  }

  /// Adds a row to the sums. All products have 16 bits and no carry, so the compiler processes 8 numbers at
  /// once.
  private mutating func sumUp(_ row: Span<UInt8>, weight: UInt16) {
    precondition(row.count == width * 4, "the row and the image have different widths")
    var sums = sums.mutableSpan
    let (high, low) = (weight >> 8, weight & 0xFF)
    for index in 0..<row.count {
      let value = UInt16(row[index])
      sums[index] &+= value &* high &+ (value &* low) &>> 8
    }
  }

  private mutating func finish() {
    let (sums, columns) = (sums, columns)
    let (first, weights) = (columns.first.span, columns.weights.span)
    var pixels = resultRow.pixels.mutableSpan
    // Reducing by less than 2 has one pair per window, which needs no inner loop.
    if columns.pairs == 1 {
      for column in first.indices {
        let pair = sums.span.pair(from: first[column]).timesFraction(weights[column])
        pixels.store(Self.rounded(pair, pairs: 1), at: column * 4)
      }
      return
    }
    var next = 0
    for column in first.indices {
      var sum = SIMD8<UInt16>.zero
      for pair in 0..<columns.pairs {
        sum &+= sums.span.pair(from: first[column] &+ 2 &* pair).timesFraction(weights[next])
        next &+= 1
      }
      pixels.store(Self.rounded(sum, pairs: columns.pairs), at: column * 4)
    }
  }

  /// Returns the pixel for the sums of the first and the second pixels of all pairs.
  ///
  /// Adds half of the loss by truncation, which is 1 for each pair, and half a level for rounding. The total
  /// is below 2^16, because the sum is at most 255 * 256 + 16.
  @inline(__always)
  private static func rounded(_ halves: SIMD8<UInt16>, pairs: Int) -> SIMD4<UInt8> {
    let sum = halves &+ SIMD8(lowHalf: halves.highHalf, highHalf: halves.lowHalf) &+ UInt16(pairs + 128)
    return SIMD8<UInt8>(truncatingIfNeeded: sum &>> 8).lowHalf
  }

  /// The sums in levels of 0...255, each multiplied by the fraction of its window that was added so far.
  var fractions: [SIMD4<Float>] {
    stride(from: 0, to: width * 4, by: 4).map { index in
      let sum = SIMD4(sums[index], sums[index + 1], sums[index + 2], sums[index + 3])
      return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sum)) * (256 / 65_535)
    }
  }
}

extension SIMD8<UInt16> {
  /// Multiplies by fractions of 65536 and truncates. Compiles to one instruction.
  @inline(__always)
  fileprivate func timesFraction(_ fraction: Self) -> Self {
    let product = SIMD8<UInt32>(truncatingIfNeeded: self) &* SIMD8<UInt32>(truncatingIfNeeded: fraction)
    return Self(truncatingIfNeeded: product &>> 16)
  }
}
