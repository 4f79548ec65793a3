/// The space-time diagrams of complete runs and of their excerpts.
struct SpaceTimeFigure: Sendable {
  let pair: RunPair
  let excerpts: [Excerpt]

  /// The height of each diagram, in px.
  static let height = 420.0
  /// The plot of each diagram.
  static let box = Box(left: 46, top: 26, width: Figure.column - 58, height: height)
  /// The legend of the transfers.
  static let transfers = [
    (swatch: "fetch waiting", meaning: "request, before the first byte"),
    (swatch: "fetch", meaning: "body"),
    (swatch: "cancelled", meaning: "cancelled"), (swatch: "failed", meaning: "failed"),
  ]

  var figure: Figure {
    let all = 0..<pair.end
    let isCoarse = pair.runs.contains {
      SpaceTimeDiagram($0, of: pair, window: all, in: Self.box).rowHeight < SpaceTimeDiagram.detailedHeight
    }
    let details = isCoarse ? excerpts : []
    var panels = pair.panels { run in
      let diagram = SpaceTimeDiagram(run, of: pair, window: all, in: Self.box)
      return panel(of: diagram, details.map { diagram.mark($0) }.joined())
    }
    for excerpt in details {
      panels += pair.panels { run in
        var panel = panel(of: SpaceTimeDiagram(run, of: pair, window: excerpt.window, in: Self.box))
        panel.title = "\(excerpt.letter): \(excerpt.title)"
        return panel
      }
    }
    let recordings = pair.runs.map(\.recording)
    return Figure(
      id: "space-time", title: "Rows over time",
      reading:
        "Time runs to the right, the list runs down. The screen is between the two lines: level at rest, steep in a "
        + "flick. A row on the screen is a bar, orange while its image is missing. Green bars are transfers. A transfer "
        + "outside the lines came before its row entered the screen (prefetching), or too late."
        + (details.isEmpty ? "" : " The lettered boxes are drawn in detail below."),
      panels: panels, layout: .pair,
      legend: (recordings.first { $0.hasPreviews } ?? recordings[0]).statesShown + Self.transfers,
      remarks: [pair.cutNote].compactMap(\.self))
  }

  private func panel(of diagram: SpaceTimeDiagram, _ marks: Markup = "") -> Figure.Panel {
    Figure.Panel(
      drawing: diagram.drawing() + marks, width: Figure.column, height: Self.height + 56,
      description: diagram.description, axis: diagram.axis)
  }
}

extension SpaceTimeDiagram {
  /// Returns the frame and the letter of `excerpt` in this diagram.
  func mark(_ excerpt: Excerpt) -> Markup {
    let (left, right) = (self.x(excerpt.window.lowerBound), self.x(excerpt.window.upperBound))
    return
      #"<g class="moments"><rect class="moment" x="\#(left)" y="\#(box.top)" width="\#(right - left)" height="\#(box.height)"/>"#
      + #"<text class="sign" x="\#(left + 2)" y="\#(box.top - 6)">\#(excerpt.letter)</text></g>"#
  }

  /// The numbers of rows and transfers in the window.
  var description: String {
    let rows = recording.appearances.filter { $0.start < window.upperBound && $0.end > window.lowerBound }
    let transfers = recording.transfers.count {
      $0.start < window.upperBound && $0.end > window.lowerBound
    }
    return "\(rows.count) appearances of rows from \(window.lowerBound.secondsText) to "
      + "\(window.upperBound.secondsText), \(rows.count { $0.shown != nil }) with their image; "
      + "\(transfers) transfers."
  }
}
