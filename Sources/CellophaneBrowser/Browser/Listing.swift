internal import Cellophane
internal import CellophaneScreens

/// A scrollable list of items: its pages, its rows in terminal lines, and its scroll position.
@MainActor
final class Listing {
  typealias Items = ListModel<BrowseItem, Int, AnimatedImageDecoder>

  let feed: ItemFeed
  let list: Items
  private(set) var lines = ListLines(sections: [], rowLines: 1)
  var scroller = Scroller()
  /// The state of the pages when the lines were made.
  private var shown = (generation: 0, count: 0)

  init(_ feed: ItemFeed, _ list: Items) {
    (self.feed, self.list) = (feed, list)
  }

  /// Adds lines for new items, and scrolls to the top of a reloaded list.
  func update(_ geometry: BrowseGeometry, at now: Duration) {
    let state = list.pages.state
    let isReloaded = state.generation != shown.generation
    guard isReloaded || state.items.count != shown.count else { return }
    shown = (state.generation, state.items.count)
    makeLines(geometry, at: now)
    if isReloaded { scroller.jump(to: 0, at: now) }
  }

  /// Adapts to a new size of the terminal. The row at the top stays there.
  func resize(to geometry: BrowseGeometry, at now: Duration) {
    let top = scroller.motion(lines.layout, at: now).visible.lowerBound
    makeLines(geometry, at: now)
    let line = lines.top(of: min(top, lines.layout.count - 1))
    scroller.jump(to: Double(line) * ListLines.unit, at: now)
  }

  private func makeLines(_ geometry: BrowseGeometry, at now: Duration) {
    lines = ListLines(sections: list.pages.state.items.map(\.section), rowLines: geometry.rowLines)
    scroller.resize(
      length: lines.layout.length, viewport: Double(geometry.list.count) * ListLines.unit, at: now)
  }
}
