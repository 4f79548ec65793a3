package import Cellophane
internal import CellophaneScreens
internal import Observation

/// A list in the terminal, which reads keys and writes frames.
///
/// The models hold the content. The browser holds only the layout and the scroll position.
@MainActor
package final class Browser {
  /// The data sources and settings of a browser.
  package struct Parts: Sendable {
    /// The name of the list or origin.
    let name: String
    let items: any ItemSource
    let images: ResourceLoader<AnimatedImageDecoder>
    /// Returns the request for an item's image at a size; nil if the item has no image.
    let request: @Sendable (BrowseItem, PixelSize) -> ImageRequest?
    let capabilities: TerminalCapabilities
    /// Returns the row number in the pixels of an image; nil for an image without one.
    let rowNumber: @Sendable (Image) -> Int?
    /// Returns the remedy for a failed image; nil if none is known.
    let advice: @Sendable (LoadError) -> String?
    /// True if the status line shows the number of images in wrong rows.
    let showsWrong: Bool
    let timeline: Timeline

    /// Creates the parts from their values.
    package init(
      name: String, items: any ItemSource, images: ResourceLoader<AnimatedImageDecoder>,
      request: @escaping @Sendable (BrowseItem, PixelSize) -> ImageRequest?,
      rowNumber: @escaping @Sendable (Image) -> Int?,
      advice: @escaping @Sendable (LoadError) -> String? = { _ in nil }, capabilities: TerminalCapabilities,
      showsWrong: Bool, timeline: Timeline
    ) {
      (self.name, self.items, self.images, self.request) = (name, items, images, request)
      (self.rowNumber, self.advice, self.capabilities) = (rowNumber, advice, capabilities)
      (self.showsWrong, self.timeline) = (showsWrong, timeline)
    }
  }

  /// The minimum interval of frames: at most thirty per second.
  private static let interval = Duration.milliseconds(33)

  let parts: Parts
  private let write: (String) -> Void
  private let everything: Listing
  private let results: Listing
  /// The visible list: all items, or the search results. Both use the same slots.
  private(set) var listing: Listing
  let search: SearchModel<FoundItems>
  let drawings: DrawingCache

  private var painter: Painter
  var reader = KeyReader()
  var isTyping = false
  /// The last search with results, and the generation of the result list before it; nil without such a search.
  private var found: (query: String, before: Int)?

  private var isFrameDue = false
  private var lastFrame: Duration?
  var reads = 0
  /// Settled when the user quits.
  private let end = OneShot<Void>()
  /// The statistics of the drawn frames.
  private(set) var frames = FrameTally()

  /// Creates a browser for a terminal of `size`, which receives frames through `write`.
  init(_ parts: Parts, size: TerminalSize, write: @escaping (String) -> Void) {
    self.parts = parts
    self.write = write
    let drawings = DrawingCache(
      capabilities: parts.capabilities, rowNumber: parts.rowNumber, advice: parts.advice)
    let shared = SharedGeometry(BrowseGeometry(size))
    let rows = RowSlots(parts.images, showsPreviews: true) { slot, _, _ in drawings.clear(slot) }
    func listing() -> Listing {
      let feed = ItemFeed(parts.items)
      let pages = PagingModel(feed, timeline: parts.timeline)
      let list = Listing.Items(pages: pages, rows: rows) { [request = parts.request] item in
        request(item, shared.geometry.pixels)
      }
      return Listing(feed, list)
    }
    (everything, results) = (listing(), listing())
    self.listing = everything
    search = SearchModel(ItemSearch(source: parts.items), timeline: parts.timeline)
    (self.drawings, self.shared) = (drawings, shared)
    painter = Painter(usesColor: parts.capabilities.depth != .none)
    for listing in [everything, results] { listing.resize(to: shared.geometry, at: parts.timeline.now) }
    drawings.onChange = { [weak self] in self?.setNeedsFrame() }
  }

  /// The geometry in an object, because the closure of the list reads it before the browser exists.
  private final class SharedGeometry {
    var geometry: BrowseGeometry

    init(_ geometry: BrowseGeometry) { self.geometry = geometry }
  }
  private let shared: SharedGeometry

  var geometry: BrowseGeometry { shared.geometry }
  /// True while the search results are visible.
  var showsResults: Bool { listing === results }

  /// Shows the list until the user quits or the task is cancelled.
  func run() async {
    let observer = parts.timeline.spawn {
      [weak self, events = parts.images.bytes.events.events(limit: 1)] in
      for await _ in events { self?.setNeedsFrame() }
    }
    defer { observer.cancel() }
    observeModels()
    setNeedsFrame()
    await withTaskCancellationHandler {
      await end.value
    } onCancel: { [end] in
      end.settle(())
    }
  }

  /// Ends ``run()``.
  func leave() { _ = end.settle(()) }

  /// Requests a frame after each change of a model.
  private func observeModels() {
    withObservationTracking {
      _ = everything.list.pages.state
      _ = results.list.pages.state
      _ = search.state
    } onChange: { [weak self, timeline = parts.timeline] in
      // This closure runs before the change.
      timeline.spawn { @MainActor in
        self?.noteChange()
        self?.observeModels()
      }
    }
  }

  /// Moves the results of a new search to the result list. Once the search is cleared, shows the list of all items at
  /// its old position.
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

  /// Shows the result list once it has new content, so that the screen does not flicker.
  private func showResultsIfReady() {
    guard !showsResults, let found, results.list.pages.state.generation != found.before else { return }
    show(results)
  }

  private func show(_ other: Listing) {
    listing.scroller.settle(at: parts.timeline.now)
    listing = other
    listing.list.rows.invalidate()
  }

  /// Adapts to a new size of the terminal.
  func resize(to size: TerminalSize) {
    let old = geometry
    shared.geometry = BrowseGeometry(size)
    for listing in [everything, results] { listing.resize(to: geometry, at: parts.timeline.now) }
    if old.pixels != geometry.pixels { listing.list.rows.invalidate() }
    redraw()
  }

  /// Draws the whole screen again, whatever is on the terminal.
  func redraw() {
    painter.invalidate()
    drawings.removeAll()
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
    showResultsIfReady()
    listing.update(geometry, at: start)
    listing.scroller.rest(at: start)
    let motion = listing.scroller.motion(listing.lines.layout, at: start)
    listing.list.scroll(motion)
    let view = view(of: motion, firstLine: listing.scroller.firstLine(at: start))
    let text =
      drawings.takePreparations(rows: motion.visible, of: listing.list.rows) + painter.paint(view.frame())
    if !text.isEmpty {
      write(text)
      frames.note(bytes: text.utf8.count, time: parts.timeline.now - start)
    }
    if listing.scroller.isMoving { setNeedsFrame() }
  }

  /// The number of checked images, and of those in wrong rows.
  var images: ImageTally { drawings.tally }
}

/// Statistics of drawn frames.
package struct FrameTally: Sendable {
  package private(set) var count = 0
  package private(set) var bytes = 0
  package private(set) var longest = Duration.zero
  package private(set) var time = Duration.zero

  mutating func note(bytes: Int, time: Duration) {
    count += 1
    self.bytes += bytes
    self.time += time
    longest = max(longest, time)
  }
}
