internal import Cellophane
internal import CellophaneScreens
internal import CellophaneSimulation
internal import Observation

/// A list in the terminal: keys in, frames out. What is shown is state of the models; here is only where it stands and how
/// it moves.
@MainActor
final class Browser {
  /// What the list is made of.
  struct Parts: Sendable {
    /// What is browsed, for people.
    let name: String
    let items: any ItemSource
    let pictures: ImageLoader
    /// The request of a picture, as far as the item and its size tell.
    let request: @Sendable (BrowseItem, PixelSize) -> ImageRequest?
    let abilities: Abilities
    /// Whether the last line tells how many pictures stood at a wrong row.
    let showsWrong: Bool
    let timeline: Timeline
  }

  private typealias Items = ListModel<BrowseItem, Int, ImageDecoder>
  /// A list, and where its pages come from.
  private typealias Listing = (feed: ItemFeed, list: Items)

  /// At most thirty frames a second.
  private static let interval = Duration.milliseconds(33)

  let parts: Parts
  private let write: (String) -> Void
  private let everything: Listing
  private let results: Listing
  /// True while the list is that of a search.
  private(set) var showsResults = false
  let search: SearchModel<FoundItems>
  let board: PictureBoard

  var geometry: BrowseGeometry {
    get { place.geometry }
    set { place.geometry = newValue }
  }
  var lines: ListLines
  var scroller = Scroller()
  private var painter: Painter
  var reader = KeyReader()
  var isTyping = false
  /// What the list had when the lines were made.
  private var shown = (generation: 0, count: 0)
  /// The last search that has found something, and the generation of its list before; nil without one.
  private var found: (query: String, before: Int)?
  /// Where the list was when that of a search took its place: the first row, and how many lines of it were out of sight.
  private var home = (row: 0, lines: 0)

  private var isFrameDue = false
  private var lastFrame: Duration?
  var reads = 0
  /// Settled once somebody wants to leave.
  private let end = OneShot<Void>()
  /// What was drawn.
  private(set) var frames = FrameTally()

  /// A list on a terminal of `size` that is told what to show by `write`.
  init(_ parts: Parts, size: TerminalSize, write: @escaping (String) -> Void) {
    self.parts = parts
    self.write = write
    let board = PictureBoard(abilities: parts.abilities)
    let place = Place(BrowseGeometry(size))
    let rows = RowSlots(parts.pictures, showsPreviews: true) { slot, _, _ in board.clear(slot) }
    func listing() -> Listing {
      let feed = ItemFeed(parts.items)
      let pages = PagingModel(feed, timeline: parts.timeline)
      let list = Items(pages: pages, rows: rows) { [request = parts.request] item in
        request(item, place.geometry.pixels)
      }
      return (feed, list)
    }
    (everything, results) = (listing(), listing())
    search = SearchModel(ItemSearch(source: parts.items), timeline: parts.timeline)
    (self.board, self.place) = (board, place)
    painter = Painter(usesColour: parts.abilities.depth != .none)
    lines = ListLines(sections: [], rowLines: place.geometry.rowLines)
    board.onChange = { [weak self] in self?.setNeedsFrame() }
  }

  /// Where the size of pictures is looked up; an object of its own, because the list asks for it.
  private final class Place {
    var geometry: BrowseGeometry

    init(_ geometry: BrowseGeometry) { self.geometry = geometry }
  }
  private let place: Place

  /// What is shown. Both lists have the same slots.
  var list: ListModel<BrowseItem, Int, ImageDecoder> { showsResults ? results.list : everything.list }
  /// Where its pages come from.
  var feed: ItemFeed { showsResults ? results.feed : everything.feed }

  /// Shows the list until somebody leaves or the task is cancelled.
  func run() async {
    let watching = parts.timeline.spawn {
      [weak self, events = parts.pictures.bytes.events.events(limit: 1)] in
      for await _ in events { self?.setNeedsFrame() }
    }
    defer { watching.cancel() }
    follow()
    makeLines(at: parts.timeline.now)
    setNeedsFrame()
    await withTaskCancellationHandler {
      await end.value
    } onCancel: { [end] in
      end.settle(())
    }
  }

  /// Ends ``run()``.
  func leave() { _ = end.settle(()) }

  /// Draws again whenever a model has changed.
  private func follow() {
    withObservationTracking {
      _ = everything.list.pages.state
      _ = results.list.pages.state
      _ = search.state
    } onChange: { [weak self, timeline = parts.timeline] in
      // It tells before the change.
      timeline.spawn { @MainActor in
        self?.noteChange()
        self?.follow()
      }
    }
  }

  /// What a search finds becomes a list of its own; without a search the other is where it was.
  private func noteChange() {
    if case .results(let new) = search.state.phase, new.query != found?.query {
      found = (new.query, results.list.pages.state.generation)
      results.feed.begin(with: new)
      results.list.refresh()
    } else if case .idle = search.state.phase, found != nil {
      found = nil
      if showsResults { leaveResults() }
    }
    setNeedsFrame()
  }

  /// As soon as there is something in it, so that nothing flickers.
  private func enterResultsIfThere(at now: Duration) {
    guard !showsResults, let found, results.list.pages.state.generation != found.before else { return }
    let row = firstVisible(at: now)
    home = (row, scroller.firstLine(at: now) - lines.top(of: row))
    showsResults = true
    list.rows.invalidate()
    // None that it has had.
    shown.generation = -1
  }

  private func leaveResults() {
    showsResults = false
    list.rows.invalidate()
    let state = list.pages.state
    shown = (state.generation, state.items.count)
    let now = parts.timeline.now
    makeLines(at: now)
    let row = min(home.row, lines.layout.count - 1)
    scroller.jump(to: Double(lines.top(of: row) + home.lines) * ListLines.unit, at: now)
  }

  /// The terminal has another size.
  func resize(to size: TerminalSize) {
    let now = parts.timeline.now
    let top = firstVisible(at: now)
    let old = geometry
    geometry = BrowseGeometry(size)
    // A row has other lines now.
    if old.rowLines != geometry.rowLines { home.lines = 0 }
    makeLines(at: now)
    // The row at the top stays there.
    scroller.jump(to: Double(lines.top(of: min(top, lines.layout.count - 1))) * ListLines.unit, at: now)
    board.removeAll()
    if old.pixels != geometry.pixels { list.rows.invalidate() }
    redraw()
  }

  /// Nothing is known any more of what is on the terminal.
  func redraw() {
    painter.invalidate()
    board.removeAll()
    setNeedsFrame()
  }

  // MARK: Frames

  func setNeedsFrame() {
    if isFrameDue { return }
    isFrameDue = true
    let wait = lastFrame.map { $0 + Self.interval - parts.timeline.now } ?? .zero
    parts.timeline.spawn { [weak self, timeline = parts.timeline] in
      if wait > .zero { try? await timeline.sleep(for: wait) }
      self?.drawFrame()
    }
  }

  private func drawFrame() {
    isFrameDue = false
    if end.isSettled { return }
    let start = parts.timeline.now
    lastFrame = start
    enterResultsIfThere(at: start)
    let state = list.pages.state
    if (state.generation, state.items.count) != (shown.generation, shown.count) {
      let isAnew = state.generation != shown.generation
      (shown.generation, shown.count) = (state.generation, state.items.count)
      makeLines(at: start)
      if isAnew { scroller.jump(to: 0, at: start) }
    }
    scroller.rest(at: start)
    let motion = scroller.motion(lines.layout, at: start)
    list.scroll(motion)
    let view = view(of: motion, firstLine: scroller.firstLine(at: start))
    let text = board.takePreparations(rows: motion.visible, of: list.rows) + painter.paint(view.frame())
    if !text.isEmpty {
      write(text)
      frames.note(bytes: text.utf8.count, time: parts.timeline.now - start)
    }
    if scroller.isMoving { setNeedsFrame() }
  }

  private func makeLines(at now: Duration) {
    lines = ListLines(
      sections: list.pages.state.items.map(\.section), rowLines: geometry.rowLines)
    scroller.resize(
      length: lines.layout.length, viewport: Double(geometry.list.count) * ListLines.unit, at: now)
  }

  private func firstVisible(at now: Duration) -> Int {
    scroller.motion(lines.layout, at: now).visible.lowerBound
  }

  /// How many pictures stood at which rows.
  var pictures: PictureTally { board.tally }
}

/// What the frames took.
struct FrameTally: Sendable {
  private(set) var count = 0
  private(set) var bytes = 0
  private(set) var longest = Duration.zero
  private(set) var time = Duration.zero

  mutating func note(bytes: Int, time: Duration) {
    count += 1
    self.bytes += bytes
    self.time += time
    longest = max(longest, time)
  }
}
