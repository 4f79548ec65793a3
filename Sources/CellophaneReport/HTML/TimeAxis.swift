/// The time axis of a drawing. The script of a page links the axes of all drawings by a crosshair and a zoom.
struct TimeAxis: Sendable {
  /// The name of the run that the drawing shows, as in the JSON of the page.
  let run: String
  /// The range of the axis, in s.
  let seconds: ClosedRange<Double>
  /// The edges of the plot, in px of the drawing.
  let left, top, width, height: Double
  /// The range of the list from top to bottom, in px; nil if the vertical axis is not the list.
  var reach: ClosedRange<Double>?

  /// The attributes of the drawing, with a space before them.
  var attributes: Markup {
    let reach: Markup = reach.map { #" data-reach="\#($0.lowerBound) \#($0.upperBound)""# } ?? ""
    let (from, to) = (Self.text(seconds.lowerBound), Self.text(seconds.upperBound))
    return
      #" data-run="\#(run)" data-time="\#(from) \#(to)" data-box="\#(left) \#(top) \#(width) \#(height)""#
      + reach
  }

  /// Returns a time with at most six decimals, those of a recording. The script also reads `1e-05`.
  private static func text(_ seconds: Double) -> String { "\((seconds * 1e6).rounded() / 1e6)" }
}
