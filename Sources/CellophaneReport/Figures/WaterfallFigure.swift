/// Waterfalls of all transfers of each excerpt, in the order of their starts.
struct WaterfallFigure: Sendable {
  let pair: RunPair
  let excerpts: [Excerpt]

  /// The height of a bar with its labels, and of one without, in px.
  private static let barHeight = (labeled: 13.0, plain: 5.0)
  /// The maximum number of labeled bars: as many as a printed page holds.
  private static let labeledCount = 64

  /// What the waterfalls of one excerpt have in common, so that they compare.
  private struct Extent {
    /// The time of the last end.
    let end: Int64
    /// Whether the bars have labels.
    let isLabeled: Bool
    /// The number of bars of the longer waterfall.
    let count: Int

    init(of excerpt: Excerpt, in pair: RunPair) {
      let runs = pair.runs.map { $0.recording.transfers.filter { excerpt.window.contains($0.start) } }
      count = runs.map(\.count).max() ?? 0
      isLabeled = count <= WaterfallFigure.labeledCount
      end = max(runs.joined().map(\.end).max() ?? 0, excerpt.window.upperBound)
    }
  }

  var figure: Figure? {
    var panels: [Figure.Panel] = []
    for excerpt in excerpts {
      let extent = Extent(of: excerpt, in: pair)
      panels += pair.panels { run in
        let transfers = run.recording.transfers.filter { excerpt.window.contains($0.start) }
        return transfers.isEmpty ? nil : panel(transfers, of: excerpt, extent)
      }
    }
    guard !panels.isEmpty else { return nil }
    return Figure(
      id: "waterfall", title: "Transfers",
      reading:
        "Each bar is a transfer that started in the time range, from its request to its end: pale before the first "
        + "byte, solid during the body, hatched if the loader cancelled it because no row needed it any more. All "
        + "transfers are drawn; with more than \(Self.labeledCount), the bars have no labels.",
      panels: panels, layout: .pair, legend: SpaceTimeFigure.transfers, table: table)
  }

  /// The numbers of transfers and bytes of each run, by outcome.
  private var table: Table {
    let runs = pair.runs.map(\.recording.transfers)
    return Table(
      caption: "All transfers by outcome", head: [""] + pair.runs.map { $0.title },
      rows: Recording.Transfer.Outcome.allCases.compactMap { outcome in
        let ended = runs.map { $0.filter { $0.outcome == outcome } }
        guard ended.contains(where: { !$0.isEmpty }) else { return nil }
        return [outcome.words]
          + ended.map {
            "\(Quantity.grouped(Double($0.count))), \(Quantity.bytes($0.reduce(0) { $0 + Double($1.bytes) }))"
          }
      })
  }

  /// Returns the waterfall of one excerpt of one run.
  private func panel(
    _ transfers: [Recording.Transfer], of excerpt: Excerpt, _ extent: Extent
  ) -> Figure.Panel {
    let isLabeled = extent.isLabeled
    let barHeight = isLabeled ? Self.barHeight.labeled : Self.barHeight.plain
    // 118 px for the text after the bars.
    let box = Box(
      left: 58, top: 8, width: Figure.column - 58 - (isLabeled ? 118 : 12),
      height: Double(extent.count) * barHeight)
    let plot = Plot(box, x: excerpt.window.lowerBound.seconds...extent.end.seconds, y: 0...1)
    var markup = plot.seconds()
    var top = box.top
    for transfer in transfers {
      let bar = TransferBar(transfer, plot.x, top: top + 1, height: barHeight - (isLabeled ? 4 : 2))
      markup += "<g><title>\(transfer.sentence)</title>" + bar.markup
      if isLabeled { markup += labels(of: transfer, plot, top) }
      markup += "</g>"
      top += barHeight
    }
    return Figure.Panel(
      title: "\(excerpt.letter): \(Quantity.grouped(Double(transfers.count))) transfers that started from "
        + "\(excerpt.window.lowerBound.secondsText) to \(excerpt.window.upperBound.secondsText)",
      drawing: markup, width: Figure.column, height: box.bottom + 26,
      description: "\(transfers.count) transfers, \(transfers.count { $0.outcome == .cancelled }) "
        + "of them cancelled.")
  }

  /// Returns the row of a transfer before its bar, and its size, duration and outcome after it.
  private func labels(of transfer: Recording.Transfer, _ plot: Plot, _ top: Double) -> Markup {
    // The outcome in words too: color alone is not enough, above all on paper.
    let end = [.cancelled, .failed].contains(transfer.outcome) ? ", \(transfer.outcome.words)" : ""
    let size = end.isEmpty ? Quantity.bytes(Double(transfer.bytes)) + ", " : ""
    let note = size + (transfer.end - transfer.start).millisecondsText + end
    return
      #"<text class="tick dense end" x="\#(plot.box.left - 6)" y="\#(top + 10)">row \#(transfer.row)</text>"#
      + #"<text class="tick dense" x="\#(plot.x(transfer.end.seconds) + 5)" y="\#(top + 10)">\#(note)</text>"#
  }
}
