/// The space-time diagram of a run: all of it, and two moments in detail.
struct SpaceTimeFigure: Sendable {
  let recording: Recording
  let moments: [Moment]

  /// The height of each of its diagrams.
  static let height = 420.0
  /// The colours of transfers.
  static let transfers = [
    (swatch: "fetch waiting", meaning: "asked for, nothing came yet"),
    (swatch: "fetch", meaning: "its bytes came"),
    (swatch: "cancelled", meaning: "given up"), (swatch: "failed", meaning: "failed"),
  ]

  var figure: Figure {
    let shown = recording.appearances.count { $0.shown != nil }
    let all = diagram(0..<max(recording.end, 1), top: 26)
    var panels = [
      Figure.Panel(
        drawing: all.drawing() + moments.map { all.mark($0) }.joined(), height: Self.height + 56,
        description: "\(recording.appearances.count) appearances of rows over "
          + "\(Quantity.decimal(recording.end.seconds, places: 0)) seconds, \(shown) of which showed their picture; "
          + "\(recording.transfers.count) transfers.")
    ]
    if all.rowHeight < SpaceTimeDiagram.detailedHeight {
      panels += moments.map { moment in
        let title: Markup = #"<text class="subtitle" x="64" y="16">\#(moment.sign): \#(moment.title)</text>"#
        return Figure.Panel(
          drawing: title + diagram(moment.window, top: 46).drawing(), height: Self.height + 76,
          description: moment.title)
      }
    }
    return Figure(
      id: "space-time", title: "Rows against time",
      reading:
        "Time goes to the right, the list goes down, as on the screen. The two lines are the upper and the "
        + "lower edge of the screen; a level stretch is a list at rest, a steep one a flick. Between them each "
        + "row is a bar, orange while its picture was missing. Green bars are fetches; those outside of the lines were "
        + "made before the row came in, or too late.",
      panels: panels, legend: recording.statesShown + Self.transfers,
      remarks: recording.isCutShort
        ? [
          "The first \(Quantity.decimal(recording.end.seconds, places: 0)) s of "
            + "\(Quantity.decimal(recording.duration.seconds, places: 0)) s are drawn: "
            + (recording.isFull
              ? "a recording keeps \(Quantity.grouped(Double(Recording.spanLimit))) spans. "
              : "then the screen was turned. ") + "All numbers are of the whole run."
        ] : [])
  }

  private func diagram(_ window: Range<Int64>, top: Double) -> SpaceTimeDiagram {
    SpaceTimeDiagram(
      recording, window: window, in: Box(left: 64, top: top, width: Figure.width - 80, height: Self.height))
  }
}

extension SpaceTimeDiagram {
  /// The place of `moment` in this diagram.
  func mark(_ moment: Moment) -> Markup {
    let (left, right) = (self.x(moment.window.lowerBound), self.x(moment.window.upperBound))
    return
      #"<rect class="moment" x="\#(left)" y="\#(box.top)" width="\#(right - left)" height="\#(box.height)"/>"#
      + #"<text class="sign" x="\#(left + 2)" y="\#(box.top - 6)">\#(moment.sign)</text>"#
  }
}
