/// Area averages of opaque pictures in whole numbers: the road of nearly every thumbnail. Rows are summed up
/// first, which is one plain loop over the bytes of a row; columns follow once per row of the result.
///
/// Sums of rows have 8 bits of value and 8 of fraction, weights 16 bits of fraction. Error, in levels, with at
/// most n pixels in a window: each row loses less than 1/256 by cutting, and half of that is given back in
/// advance, so ±n/512, and so does each column; weights are off by less than 1/65535, and their errors cancel, so
/// that at most n/2 of them move from black to white: n/514 for rows and as much for columns; and 0.01 because
/// weights sum up to 65535 and not to 65536. With n = 32 that is 0.26 before rounding: the result is the exact mean
/// rounded, or next to it.
struct OpaqueAverager {
  /// The most pixels in a window. 32: see above; a JPEG is decoded so much smaller that it never gets there.
  static let longestWindow = 32

  private let columns: PairedWeights
  private let rows: ResamplingAxis
  /// How many pixels a row of the source has.
  let width: Int
  /// The rows summed up so far, 4 numbers per pixel, and the pixels behind their end that count nothing.
  private var sums: [UInt16]
  private var window: ResamplingWindow
  private var weights = WholeWeights()
  /// The next row of the source and the row of the result in the making.
  private(set) var sourceRow = 0
  private(set) var outputRow = 0
  private var finished: PixelRows

  /// Nil for what it cannot do: kernels with negative weights, windows too long, enlarging from top to bottom.
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
    finished = PixelRows(width: axis.count, count: 1)
  }

  /// Half of what cutting is going to lose.
  private static func start(_ window: ResamplingWindow) -> UInt16 { UInt16(window.count / 2) }

  mutating func add(_ row: Span<UInt8>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    while outputRow < rows.count, window.first <= sourceRow {
      sumUp(row, weight: weights.weights[sourceRow - window.first])
      guard window.last == sourceRow else { return }
      finish()
      canvas.place(finished, columns: 0..<finished.width, rows: 0..<1, y: outputRow)
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

  /// 16 bits each, and no carry from a product to the next: the compiler makes 8 numbers at once of it.
  private mutating func sumUp(_ row: Span<UInt8>, weight: UInt16) {
    precondition(row.count == width * 4, "the row has another width than the picture")
    var sums = sums.mutableSpan
    let (whole, fraction) = (weight >> 8, weight & 0xFF)
    for index in 0..<row.count {
      let value = UInt16(row[index])
      sums[index] &+= value &* whole &+ (value &* fraction) &>> 8
    }
  }

  private mutating func finish() {
    let (sums, columns) = (sums, columns)
    let (first, weights) = (columns.first.span, columns.weights.span)
    var pixels = finished.pixels.mutableSpan
    // One pair is what reducing by less than 2 has: without a loop.
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

  /// The bytes of a pixel whose halves were summed up apart. Half of what cutting lost is given back: one for
  /// each pair, and a half of a level, to round. At most 255 * 256 + 16 and these: less than 2^16.
  @inline(__always)
  private static func rounded(_ halves: SIMD8<UInt16>, pairs: Int) -> SIMD4<UInt8> {
    let sum = halves &+ SIMD8(lowHalf: halves.highHalf, highHalf: halves.lowHalf) &+ UInt16(pairs + 128)
    return SIMD8<UInt8>(truncatingIfNeeded: sum &>> 8).lowHalf
  }

  /// The sums as fractions of 0...255, each pixel times the share of its window that was taken.
  var fractions: [SIMD4<Float>] {
    stride(from: 0, to: width * 4, by: 4).map { at in
      let sum = SIMD4(sums[at], sums[at + 1], sums[at + 2], sums[at + 3])
      return SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: sum)) * (256 / 65_535)
    }
  }
}

extension SIMD8<UInt16> {
  /// Times fractions of 65536, cut. One instruction in machine code.
  @inline(__always)
  fileprivate func timesFraction(_ fraction: Self) -> Self {
    let product = SIMD8<UInt32>(truncatingIfNeeded: self) &* SIMD8<UInt32>(truncatingIfNeeded: fraction)
    return Self(truncatingIfNeeded: product &>> 16)
  }
}
