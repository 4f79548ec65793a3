internal import Cellophane
internal import CellophaneScreens

/// A list of items in the terminal: where its pages come from, in which lines its rows lie, and how far it is scrolled.
@MainActor
final class Listing {
  typealias Items = ListModel<BrowseItem, Int, ImageDecoder>

  let feed: ItemFeed
  let list: Items
  private(set) var lines = ListLines(sections: [], rowLines: 1)
  var scroller = Scroller()
  /// What the list had when the lines were made.
  private var shown = (generation: 0, count: 0)

  init(_ feed: ItemFeed, _ list: Items) {
    (self.feed, self.list) = (feed, list)
  }

  /// Makes lines for what has come since, and goes to the top when the list has begun anew.
  func update(_ geometry: BrowseGeometry, at now: Duration) {
    let state = list.pages.state
    let isAnew = state.generation != shown.generation
    guard isAnew || state.items.count != shown.count else { return }
    shown = (state.generation, state.items.count)
    makeLines(geometry, at: now)
    if isAnew { scroller.jump(to: 0, at: now) }
  }

  /// The terminal has another size: the row at the top stays there.
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
