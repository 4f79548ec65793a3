/// The space-time diagrams of a complete run and of its excerpts.
struct SpaceTimeFigure: Sendable {
  let recording: Recording
  let excerpts: [Excerpt]

  /// The height of each diagram, in px.
  static let height = 420.0
  /// The legend of the transfers.
  static let transfers = [
    (swatch: "fetch waiting", meaning: "request, before the first byte"),
    (swatch: "fetch", meaning: "body"),
    (swatch: "cancelled", meaning: "cancelled"), (swatch: "failed", meaning: "failed"),
  ]

  var figure: Figure {
    let shown = recording.appearances.count { $0.shown != nil }
    let all = diagram(0..<max(recording.end, 1), top: 26)
    var panels = [
      Figure.Panel(
        drawing: all.drawing() + excerpts.map { all.mark($0) }.joined(), height: Self.height + 56,
        description: "\(recording.appearances.count) appearances of rows over "
          + "\(Quantity.decimal(recording.end.seconds, places: 0)) seconds, \(shown) with their image; "
          + "\(recording.transfers.count) transfers.")
    ]
    if all.rowHeight < SpaceTimeDiagram.detailedHeight {
      panels += excerpts.map { excerpt in
        let title: Markup =
          #"<text class="subtitle" x="64" y="16">\#(excerpt.letter): \#(excerpt.title)</text>"#
        return Figure.Panel(
          drawing: title + diagram(excerpt.window, top: 46).drawing(), height: Self.height + 76,
          description: excerpt.title)
      }
    }
    return Figure(
      id: "space-time", title: "Rows over time",
      reading:
        "Time runs to the right, the list runs down, as on the screen. The two lines are the top and the bottom edge of "
        + "the screen. They are level while the list is at rest, and steep during a flick. Each row between them is a bar, "
        + "orange while its image is missing. Green bars are transfers. Outside of the two lines, a transfer came before "
        + "its row entered the screen (prefetch), or too late."
        + (excerpts.isEmpty
          ? ""
          : " The lettered boxes are the time ranges that figures below show in detail; the figure of transfers may show "
            + "only the start of a range."),
      panels: panels, legend: recording.statesShown + Self.transfers,
      remarks: recording.isCutShort
        ? [
          "The charts show the first \(Quantity.decimal(recording.end.seconds, places: 0)) s of "
            + "\(Quantity.decimal(recording.duration.seconds, places: 0)) s: "
            + (recording.isFull
              ? "a recording holds \(Quantity.grouped(Double(Recording.spanLimit))) spans. "
              : "a recording ends when the screen rotates. ") + "The metrics cover the complete run."
        ] : [])
  }

  private func diagram(_ window: Range<Int64>, top: Double) -> SpaceTimeDiagram {
    SpaceTimeDiagram(
      recording, window: window, in: Box(left: 64, top: top, width: Figure.width - 80, height: Self.height))
  }
}

extension SpaceTimeDiagram {
  /// Returns the frame and the letter of `excerpt` in this diagram.
  func mark(_ excerpt: Excerpt) -> Markup {
    let (left, right) = (self.x(excerpt.window.lowerBound), self.x(excerpt.window.upperBound))
    return
      #"<rect class="moment" x="\#(left)" y="\#(box.top)" width="\#(right - left)" height="\#(box.height)"/>"#
      + #"<text class="sign" x="\#(left + 2)" y="\#(box.top - 6)">\#(excerpt.letter)</text>"#
  }
}
