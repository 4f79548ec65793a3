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

  /// At most thirty frames a second.
  private static let interval = Duration.milliseconds(33)

  let parts: Parts
  private let write: (String) -> Void
  private let everything: Listing
  private let results: Listing
  /// What is shown. Both have the same slots.
  private(set) var listing: Listing
  let search: SearchModel<FoundItems>
  let board: PictureBoard

  private var painter: Painter
  var reader = KeyReader()
  var isTyping = false
  /// The last search that has found something, and the generation of its list before; nil without one.
  private var found: (query: String, before: Int)?

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
      let list = Listing.Items(pages: pages, rows: rows) { [request = parts.request] item in
        request(item, place.geometry.pixels)
      }
      return Listing(feed, list)
    }
    (everything, results) = (listing(), listing())
    self.listing = everything
    search = SearchModel(ItemSearch(source: parts.items), timeline: parts.timeline)
    (self.board, self.place) = (board, place)
    painter = Painter(usesColour: parts.abilities.depth != .none)
    for listing in [everything, results] { listing.resize(to: place.geometry, at: parts.timeline.now) }
    board.onChange = { [weak self] in self?.setNeedsFrame() }
  }

  /// Where the size of pictures is looked up; an object of its own, because the list asks for it.
  private final class Place {
    var geometry: BrowseGeometry

    init(_ geometry: BrowseGeometry) { self.geometry = geometry }
  }
  private let place: Place

  var geometry: BrowseGeometry { place.geometry }
  /// True while the list is that of a search.
  var showsResults: Bool { listing === results }

  /// Shows the list until somebody leaves or the task is cancelled.
  func run() async {
    let watching = parts.timeline.spawn {
      [weak self, events = parts.pictures.bytes.events.events(limit: 1)] in
      for await _ in events { self?.setNeedsFrame() }
    }
    defer { watching.cancel() }
    follow()
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
      if showsResults { show(everything) }
    }
    setNeedsFrame()
  }

  /// As soon as there is something in it, so that nothing flickers.
  private func showResultsIfThere() {
    guard !showsResults, let found, results.list.pages.state.generation != found.before else { return }
    show(results)
  }

  private func show(_ other: Listing) {
    listing.scroller.settle(at: parts.timeline.now)
    listing = other
    listing.list.rows.invalidate()
  }

  /// The terminal has another size.
  func resize(to size: TerminalSize) {
    let old = geometry
    place.geometry = BrowseGeometry(size)
    for listing in [everything, results] { listing.resize(to: geometry, at: parts.timeline.now) }
    if old.pixels != geometry.pixels { listing.list.rows.invalidate() }
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
    showResultsIfThere()
    listing.update(geometry, at: start)
    listing.scroller.rest(at: start)
    let motion = listing.scroller.motion(listing.lines.layout, at: start)
    listing.list.scroll(motion)
    let view = view(of: motion, firstLine: listing.scroller.firstLine(at: start))
    let text =
      board.takePreparations(rows: motion.visible, of: listing.list.rows) + painter.paint(view.frame())
    if !text.isEmpty {
      write(text)
      frames.note(bytes: text.utf8.count, time: parts.timeline.now - start)
    }
    if listing.scroller.isMoving { setNeedsFrame() }
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
