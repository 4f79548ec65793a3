/// Reduces a picture by averaging: each pixel of the result is the mean of the area it covers, and pixels that
/// are covered partly count by that part. Takes the source row by row and never holds more than one row of
/// the result. Colours count by their alpha, so that what is transparent does not bleed into edges.
struct AreaResampler {
  private let columns: [Coverage]
  private let rows: [Coverage]
  private var sourceRow = 0
  private var outputRow = 0
  /// One row of the source, reduced from left to right: sums of pixels, weighed by alpha, times covered width.
  private var reduced: [SIMD4<Double>]
  /// The row of the result in the making.
  private var sums: [SIMD4<Double>]
  private var finished: PixelRows
  /// The area that one pixel of the result covers.
  private let area: Double

  /// Reduces `part` of a picture of `size` to `output`, which must not be larger.
  init(_ part: Framing.Part, of size: PixelSize, to output: PixelSize) {
    columns = Coverage.table(from: part.x, length: part.width, into: output.width, limit: size.width)
    rows = Coverage.table(from: part.y, length: part.height, into: output.height, limit: size.height)
    reduced = Array(repeating: .zero, count: output.width)
    sums = Array(repeating: .zero, count: output.width)
    finished = PixelRows(width: output.width, count: 1)
    area = part.width / Double(output.width) * (part.height / Double(output.height))
  }

  /// The memory that a resampler to `width` columns holds for each of them, in bytes.
  static let bytesPerColumn =
    2 * MemoryLayout<SIMD4<Double>>.stride + MemoryLayout<SIMD4<UInt8>>.stride + MemoryLayout<Coverage>.stride

  /// Takes the next row of the source; what it completes goes to `canvas`.
  mutating func add(_ row: ArraySlice<SIMD4<UInt8>>, to canvas: inout Canvas) {
    defer { sourceRow += 1 }
    guard outputRow < rows.count, rows[outputRow].first <= sourceRow else { return }
    reduce(row)
    while outputRow < rows.count, rows[outputRow].first <= sourceRow {
      let weight = rows[outputRow].weight(of: sourceRow)
      for column in sums.indices { sums[column] += reduced[column] * weight }
      guard rows[outputRow].last == sourceRow else { return }
      finish()
      canvas.place(finished, columns: sums.indices, rows: 0..<1, y: outputRow)
      outputRow += 1
    }
  }

  private mutating func reduce(_ row: ArraySlice<SIMD4<UInt8>>) {
    let start = row.startIndex
    for column in columns.indices {
      let covered = columns[column]
      var sum = SIMD4<Double>(Self.weighed(row[start + covered.first])) * covered.head
      if covered.last > covered.first {
        sum += SIMD4<Double>(Self.weighed(row[start + covered.last])) * covered.tail
        sum += Self.sum(of: row[start + covered.first + 1..<start + covered.last])
      }
      reduced[column] = sum
    }
  }

  /// The sum of pixels that are covered whole.
  private static func sum(of pixels: ArraySlice<SIMD4<UInt8>>) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    var start = pixels.startIndex
    while start < pixels.endIndex {
      // 32 768 times 255 * 255 is still less than 2^31.
      let end = min(start + 32_768, pixels.endIndex)
      var whole = SIMD4<Int32>.zero
      for pixel in pixels[start..<end] { whole &+= weighed(pixel) }
      sum += SIMD4<Double>(whole)
      start = end
    }
    return sum
  }

  /// Colours times alpha, and 255 times alpha: at most 255 * 255, which 16 bits hold.
  private static func weighed(_ pixel: SIMD4<UInt8>) -> SIMD4<Int32> {
    let opaque = SIMD4<UInt16>(truncatingIfNeeded: pixel | SIMD4(0, 0, 0, 255))
    return SIMD4<Int32>(truncatingIfNeeded: opaque &* SIMD4(repeating: UInt16(pixel.w)))
  }

  private mutating func finish() {
    for column in sums.indices {
      let sum = sums[column]
      sums[column] = .zero
      guard sum.w > 0 else {
        finished.pixels[column] = .zero
        continue
      }
      // Half up; rounding errors stay far below the half that would be missing to 256.
      let mean = sum * SIMD4(255 / sum.w, 255 / sum.w, 255 / sum.w, 1 / (255 * area)) + 0.5
      finished.pixels[column] = SIMD4(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z), UInt8(mean.w))
    }
  }
}

/// The pixels of one row or column of the source that one pixel of the result covers.
private struct Coverage {
  /// The first and last pixel covered.
  let first, last: Int
  /// How much of the first and of the last is covered; those between are covered whole.
  let head, tail: Double

  /// How much of `index` is covered; it must lie within `first...last`.
  func weight(of index: Int) -> Double {
    index == first ? head : index == last ? tail : 1
  }

  /// The length from `start` on in `count` equal pieces; nothing reaches beyond `limit`.
  static func table(from start: Double, length: Double, into count: Int, limit: Int) -> [Coverage] {
    (0..<count).map { index in
      let lower = start + length * Double(index) / Double(count)
      let upper = min(start + length * Double(index + 1) / Double(count), Double(limit))
      let first = min(Int(lower), limit - 1)
      let last = max(first, min(Int(upper.rounded(.up)), limit) - 1)
      return Coverage(
        first: first, last: last, head: min(Double(first + 1), upper) - lower,
        tail: last > first ? upper - Double(last) : 0)
    }
  }
}
