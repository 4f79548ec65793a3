/// A drawing of the screen over time: each column is the screen at one time.
struct ScreenStrip: Sendable {
  let recording: Recording
  let plot: Plot

  func drawing() -> Markup {
    let height = Double(recording.viewport[1])
    var paths: [RowState: Path] = [:]
    let columns = Columns(recording, plot)
    for appearance in recording.appearances {
      let top = Double(appearance.bounds.top)
      let bottom = top + Double(appearance.bounds.height)
      for span in appearance.states {
        let edge = columns.between(span.start, span.end)
        func y(_ edge: Double, _ offset: Double) -> Double { plot.y(min(max(edge - offset, 0), height)) }
        for (index, point) in edge.enumerated() {
          let y = y(top, point.offset)
          if index == 0 {
            paths[span.state, default: Path()].move(point.x, y)
          } else {
            paths[span.state]?.line(point.x, y)
          }
        }
        for point in edge.reversed() { paths[span.state]?.line(point.x, y(bottom, point.offset)) }
        paths[span.state]?.close()
      }
    }
    return [.shown, .preview, .blank].map { (paths[$0] ?? Path()).element($0.style) }.joined()
  }

  /// The scroll offsets at the columns of a drawing.
  private struct Columns {
    let plot: Plot
    let recording: Recording
    private let offsets: [Double]
    private let width: Double

    init(_ recording: Recording, _ plot: Plot) {
      self.plot = plot
      self.recording = recording
      width = plot.box.width
      let start = plot.x.domain.lowerBound
      let length = plot.x.domain.upperBound - start
      offsets = (0...Int(width)).map { column in
        recording.series.offset(at: Int64((start + length * Double(column) / plot.box.width) * 1e6))
      }
    }

    /// Returns the scroll offsets at both times and at all columns between them.
    func between(_ start: Int64, _ end: Int64) -> [(x: Double, offset: Double)] {
      let (left, right) = (plot.x(start.seconds), plot.x(end.seconds))
      var points = [(left, recording.series.offset(at: start))]
      var column = Int((left - plot.box.left).rounded(.down)) + 1
      while column < offsets.count, plot.box.left + Double(column) < right {
        points.append((plot.box.left + Double(column), offsets[column]))
        column += 1
      }
      points.append((right, recording.series.offset(at: end)))
      return points
    }
  }
}
