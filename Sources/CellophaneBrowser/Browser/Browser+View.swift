internal import Cellophane
internal import CellophaneScreens

extension Browser {
  /// Returns the content of the screen.
  func view(of motion: ListMotion, firstLine: Int) -> BrowseView {
    let items = listing.list.pages.state.items
    var status = self.status
    let rows = motion.visible.map { row in
      guard items.indices.contains(row) else {
        let (text, isFailure) = ending
        return BrowseView.Row(row: row, content: .end(text, isFailure: isFailure))
      }
      let item = items[row]
      let picture =
        item.defect.map { .failed($0.printable, isRetryable: false) }
        ?? drawings.picture(of: row, item, in: listing.list.rows, geometry: geometry)
      status.pictures += 1
      if picture.drawing == nil { status.blank += 1 }
      return BrowseView.Row(
        row: row, heading: item.section,
        content: .item(title: item.title, url: BrowseItem.shown(item.url).printable, picture))
    }
    if parts.showsWrong { status.wrong = drawings.tally.wrong }
    return BrowseView(
      geometry: geometry, lines: listing.lines, firstLine: firstLine, isMoving: listing.scroller.isMoving,
      name: parts.name,
      rows: rows, search: searchLine, status: status)
  }

  /// The state of the list, for the row after the last item.
  private var ending: (String, isFailure: Bool) {
    let state = listing.list.pages.state
    if case .failed(let error) = state.refresh { return (text(of: error), true) }
    if state.refresh == .running { return ("loading …", false) }
    return switch state.end {
    case .more, .loading: ("loading …", false)
    case .failed(let error): (text(of: error), true)
    case .last where state.items.isEmpty: (showsResults ? "nothing found" : "the list is empty", false)
    case .last: ("end of \(state.items.count) items", false)
    }
  }

  private func text(of error: UserFacingError) -> String {
    "failed\(error.isRetryable ? ", press r to retry" : ""): \(error.message.reasonFirst.printable)"
  }

  private var searchLine: BrowseView.Search? {
    let state = search.state
    if !isTyping, state.text.isEmpty { return nil }
    let keys = isTyping ? "Enter keeps  Esc clears" : "Esc clears"
    var line = BrowseView.Search(text: state.text, isOpen: isTyping, outcome: isTyping ? keys : "")
    switch state.phase {
    case .idle: break
    case .loading: line.outcome = "searching …"
    // The phase is still that of an earlier text.
    case .results where state.isWaiting, .failed where state.isWaiting: break
    case .results(let found): line.outcome = "\(found.total) found  \(keys)"
    case .failed(let error, _): line.outcome = text(of: error)
    }
    return line
  }

  private var status: BrowseView.Status {
    let counters = parts.images.bytes.events.counters
    let state = listing.list.pages.state
    return BrowseView.Status(
      items: state.items.count, total: listing.feed.total,
      hits: parts.images.memory.counters.hits + counters.diskHits + counters.revalidated
        + counters.staleHits,
      running: max(0, counters.transfers - counters.completed - counters.aborted - counters.failed),
      transfers: counters.transfers, cancelled: counters.aborted)
  }
}
