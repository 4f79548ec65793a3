/// A waterfall of the transfers of each excerpt, in the order of their starts.
struct WaterfallFigure: Sendable {
  let recording: Recording
  let excerpts: [Excerpt]

  /// The maximum number of transfers per excerpt: as many as half a printed page holds.
  private static let limit = 32
  private static let barHeight = 13.0

  var figure: Figure? {
    let parts = excerpts.compactMap { excerpt -> (excerpt: Excerpt, transfers: [Recording.Transfer])? in
      let transfers = recording.transfers.filter { excerpt.window.contains($0.start) }
      return transfers.isEmpty ? nil : (excerpt, transfers)
    }
    guard !parts.isEmpty else { return nil }
    var panels: [Figure.Panel] = []
    var remarks: [String] = []
    for part in parts {
      let shown = Array(part.transfers.prefix(Self.limit))
      panels.append(panel(shown, of: part.excerpt, isCut: shown.count < part.transfers.count))
      if shown.count < part.transfers.count {
        remarks.append(
          "\(part.excerpt.letter): the first \(shown.count) of the \(part.transfers.count) transfers that started from "
            + "\(part.excerpt.window.lowerBound.secondsText) to \(part.excerpt.window.upperBound.secondsText)."
        )
      }
    }
    let all = recording.transfers
    let table = Table(
      caption: "All transfers by outcome", head: ["", "transfers", "bytes"],
      rows: Recording.Transfer.Outcome.allCases.compactMap { outcome in
        let ended = all.filter { $0.outcome == outcome }
        guard !ended.isEmpty else { return nil }
        return [
          outcome.words, Quantity.grouped(Double(ended.count)),
          Quantity.bytes(ended.reduce(0) { $0 + Double($1.bytes) }),
        ]
      })
    return Figure(
      id: "waterfall", title: "Transfers",
      reading:
        "Each bar is a transfer, from its request to its end. It is pale before the first byte and solid during the body. "
        + "It is hatched if the loader cancelled it because no row needed it any more.",
      panels: panels, legend: SpaceTimeFigure.transfers, remarks: remarks, table: table)
  }

  /// Returns the waterfall of one excerpt.
  ///
  /// - Parameter isCut: Whether the excerpt has more transfers than `transfers`.
  private func panel(
    _ transfers: [Recording.Transfer], of excerpt: Excerpt, isCut: Bool
  ) -> Figure.Panel {
    let (from, to) = (excerpt.window.lowerBound, transfers.last?.start ?? excerpt.window.lowerBound)
    let title =
      isCut
      ? "The first \(transfers.count) transfers, started from \(from.secondsText) to \(to.secondsText)"
      : excerpt.title
    let last = transfers.map(\.end).max() ?? excerpt.window.upperBound
    // 150 px for the text after the bars.
    let x = Scale(excerpt.window.lowerBound.seconds...last.seconds, to: 76, Figure.width - 150)
    var markup: Markup = #"<text class="subtitle" x="16" y="16">\#(excerpt.letter): \#(title)</text>"#
    var top = 32.0
    let height = Double(transfers.count) * Self.barHeight
    for tick in x.ticks(about: 8) {
      markup += #"<path class="grid" d="M\#(x(tick)) \#(top)v\#(height)"/>"#
      markup +=
        #"<text class="tick middle" x="\#(x(tick))" y="\#(top + height + 16)">\#(Quantity.short(tick)) s</text>"#
    }
    for transfer in transfers {
      let bar = TransferBar(transfer, x, top: top + 2, height: Self.barHeight - 4)
      markup += "<g><title>\(transfer.sentence)</title>"
      markup += #"<text class="tick end" x="68" y="\#(top + 10)">row \#(transfer.row)</text>"#
      markup += bar.markup
      // The outcome in words too: color alone is not enough, above all on paper.
      let end = [.cancelled, .failed].contains(transfer.outcome) ? ", \(transfer.outcome.words)" : ""
      let note =
        "\(Quantity.bytes(Double(transfer.bytes))), \((transfer.end - transfer.start).millisecondsText)\(end)"
      markup +=
        #"<text class="tick" x="\#(x(transfer.end.seconds) + 6)" y="\#(top + 10)">\#(note)</text></g>"#
      top += Self.barHeight
    }
    return Figure.Panel(
      drawing: markup, height: top + 26,
      description:
        "\(title): \(transfers.count) transfers, \(transfers.count { $0.outcome == .cancelled }) "
        + "of them cancelled.")
  }
}
