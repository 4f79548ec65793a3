/// Applies a framing to the rows of the codec: crops, resamples and orients them.
struct Reframer {
  private var canvas: Canvas
  private var resampler: Resampler?
  /// The crop in pixels, used without a resampler.
  private let columns, rows: Range<Int>
  private var nextRow = 0

  init(_ framing: Framing, byteCount: Int) {
    canvas = Canvas(framing.output, byteCount: byteCount, orientation: framing.orientation)
    resampler =
      framing.isResampled
      ? Resampler(framing.crop, of: framing.decoded, to: framing.output, filter: framing.filter) : nil
    let (x, y) = (Int(framing.crop.x), Int(framing.crop.y))
    columns = x..<x + framing.output.width
    rows = y..<y + framing.output.height
  }

  /// The result. Incomplete rows are transparent black.
  var pixels: [UInt8] { canvas.pixels }

  /// Adds the next rows of the source.
  mutating func add(_ source: PixelRows, rows added: Range<Int>) {
    let offset = nextRow - added.lowerBound
    nextRow += added.count
    if resampler != nil {
      for row in added {
        resampler?.add(source.pixels[source.range(of: row, columns: 0..<source.width)], to: &canvas)
      }
      return
    }
    let kept = (added.lowerBound + offset..<added.upperBound + offset).clamped(to: rows)
    guard !kept.isEmpty else { return }
    canvas.write(
      source, columns: columns, rows: kept.lowerBound - offset..<kept.upperBound - offset,
      y: kept.lowerBound - rows.lowerBound)
  }
}
