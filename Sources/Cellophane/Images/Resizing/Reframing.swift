/// Turns rows as the codec delivers them into the picture asked for: keeps a part of them, reduces it, and puts
/// it where the orientation wants it.
struct Reframing {
  private var canvas: Canvas
  private var resampler: Resampler?
  /// Without a resampler: what is kept, on whole pixels.
  private let columns, rows: Range<Int>
  private var nextRow = 0

  init(_ framing: Framing, byteCount: Int) {
    canvas = Canvas(framing.output, byteCount: byteCount, orientation: framing.orientation)
    resampler =
      framing.isResampled
      ? Resampler(framing.part, of: framing.decoded, to: framing.output, filter: framing.filter) : nil
    let (x, y) = (Int(framing.part.x), Int(framing.part.y))
    columns = x..<x + framing.output.width
    rows = y..<y + framing.output.height
  }

  /// The rows of the result that are complete; transparent black where they are not.
  var pixels: [UInt8] { canvas.pixels }

  /// Takes the next rows of the source.
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
    canvas.place(
      source, columns: columns, rows: kept.lowerBound - offset..<kept.upperBound - offset,
      y: kept.lowerBound - rows.lowerBound)
  }
}
