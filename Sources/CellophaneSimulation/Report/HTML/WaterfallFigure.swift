/// The transfers of some moments, one below the other, in the order in which they began.
struct WaterfallFigure: Sendable {
  let recording: Recording
  let moments: [Moment]

  /// How many transfers a moment shows: as many as fit on half a page.
  private static let limit = 32
  private static let barHeight = 13.0

  var figure: Figure? {
    let parts = moments.compactMap { moment -> (moment: Moment, transfers: [Recording.Transfer])? in
      let transfers = recording.transfers.filter { moment.window.contains($0.start) }
      return transfers.isEmpty ? nil : (moment, transfers)
    }
    guard !parts.isEmpty else { return nil }
    var panels: [Figure.Panel] = []
    var remarks: [String] = []
    for part in parts {
      let shown = Array(part.transfers.prefix(Self.limit))
      panels.append(panel(shown, of: part.moment, isCut: shown.count < part.transfers.count))
      if shown.count < part.transfers.count {
        remarks.append(
          "\(part.moment.sign): the first \(shown.count) of \(part.transfers.count) transfers that began in this time."
        )
      }
    }
    let all = recording.transfers
    let table = Table(
      caption: "All transfers by how they ended", head: ["", "transfers", "bytes"],
      rows: Recording.Transfer.Outcome.allCases.compactMap { outcome in
        let ended = all.filter { $0.outcome == outcome }
        guard !ended.isEmpty else { return nil }
        return [
          outcome.words, Quantity.grouped(Double(ended.count)),
          Quantity.bytes(ended.reduce(0) { $0 + Double($1.bytes) }),
        ]
      })
    return Figure(
      id: "waterfall", title: "Requests",
      reading:
        "Each bar is a transfer, from the moment it was asked for; pale while nothing had come yet, full while "
        + "bytes came, hatched when the loader gave it up because nobody wanted it any more.",
      panels: panels, legend: SpaceTimeFigure.transfers, remarks: remarks, table: table)
  }

  /// - Parameter isCut: There are more transfers than these, the first.
  private func panel(
    _ transfers: [Recording.Transfer], of moment: Moment, isCut: Bool
  ) -> Figure.Panel {
    let (from, to) = (moment.window.lowerBound, transfers.last?.start ?? moment.window.lowerBound)
    let title =
      isCut
      ? "The first \(transfers.count) transfers from \(from.secondsText) on, begun until \(to.secondsText)"
      : moment.title
    let last = transfers.map(\.end).max() ?? moment.window.upperBound
    // Room for what is written behind the bars.
    let x = Scale(moment.window.lowerBound.seconds...last.seconds, to: 76, Figure.width - 150)
    var markup: Markup = #"<text class="subtitle" x="16" y="16">\#(moment.sign): \#(title)</text>"#
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
      // In words, too: a colour is not enough, on paper least of all.
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
        + "of which were cancelled.")
  }
}
