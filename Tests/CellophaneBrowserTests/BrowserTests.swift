internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Observation
internal import Testing

@testable internal import CellophaneBrowser

@Suite("Search of the browser", .timeLimit(.minutes(1)))
@MainActor
struct BrowserTests {
  private struct Items: ItemSource {
    func items(matching query: String, page: Int) async throws -> FoundItems {
      if query == "bad" {
        throw LoadError(
          .status, "http://127.0.0.1:8080/items?q=bad&page=1&per_page=20 answered 503", isRetryable: true)
      }
      let items = (0..<(query.isEmpty ? 40 : 3)).map {
        BrowseItem(title: "\(query) \($0)", section: nil, url: "", number: nil)
      }
      return FoundItems(query: query, items: items, next: nil, total: items.count)
    }
  }

  private func browser(lines: Int = 24, write: @escaping (String) -> Void = { _ in }) -> Browser {
    let images = ResourceLoader(
      bytes: ByteLoader(transport: CurlTransport()), decoder: AnimatedImageDecoder(images: ImageDecoder()))
    let parts = Browser.Parts(
      name: "here", items: Items(), images: images, request: { _, _ in nil }, rowNumber: { _ in nil },
      capabilities: TerminalCapabilities(form: .blocks, depth: .none), showsWrong: false, timeline: Timeline()
    )
    return Browser(parts, size: TerminalSize(columns: 80, lines: lines), write: write)
  }

  private func outcome(_ browser: Browser) -> String? {
    browser.view(of: motion(browser), firstLine: 0).search?.outcome
  }

  private func motion(_ browser: Browser) -> ListMotion {
    browser.listing.scroller.motion(browser.listing.lines.layout, at: browser.parts.timeline.now)
  }

  @Test("a waiting search does not show the outcome of the previous text")
  func waiting() async {
    let browser = browser()
    browser.read(Array("/a".utf8))
    #expect(outcome(browser) == "Enter keeps  Esc clears")
    await wait { browser.search.state.results != nil }
    #expect(outcome(browser) == "3 found  Enter keeps  Esc clears")
    browser.read(Array("b".utf8))
    #expect(outcome(browser) == "Enter keeps  Esc clears")
    await wait { !browser.search.state.isWaiting && !browser.search.state.isLoading }
    #expect(outcome(browser) == "3 found  Enter keeps  Esc clears")
  }

  @Test("an error shows the reason before the URL")
  func failing() async {
    let browser = browser()
    browser.read(Array("/bad".utf8))
    await wait { browser.search.state.failure != nil }
    #expect(
      outcome(browser)
        == "failed, press r to retry: answered 503: http://127.0.0.1:8080/items?q=bad&page=1&per_page=20")
    browser.read(Array("x".utf8))
    #expect(outcome(browser) == "Enter keeps  Esc clears")
    #expect(
      "the URL has no host".reasonFirst == "the URL has no host" && "http://a".reasonFirst == "http://a")
  }

  @Test(
    "after a search, the list returns to its position, also in a terminal of another size",
    arguments: [26, 10])
  func returning(lines: Int) async {
    let (frames, continuation) = AsyncStream.makeStream(of: Void.self)
    let browser = browser(lines: 26) { _ in continuation.yield() }
    func waitForFrame(until isMet: () -> Bool) async {
      for await _ in frames where isMet() { break }
    }
    async let run: Void = browser.run()
    await waitForFrame { browser.listing.lines.layout.count == 41 }
    browser.read(Array("G".utf8))
    // Five of the seven lines of the first row are above the screen.
    #expect(motion(browser).visible.lowerBound == 36)
    #expect(browser.listing.scroller.firstLine(at: browser.parts.timeline.now) == 36 * 7 + 5)
    browser.read(Array("/a\r".utf8))
    await waitForFrame { browser.showsResults }
    #expect(motion(browser).visible.lowerBound == 0)
    if lines != 26 { browser.resize(to: TerminalSize(columns: 80, lines: lines)) }
    browser.read([0x1B])
    await waitForFrame { !browser.showsResults }
    #expect(motion(browser).visible.lowerBound == 36)
    #expect(browser.listing.lines.count == 40 * browser.geometry.rowLines + 1)
    let firstLine = browser.listing.scroller.firstLine(at: browser.parts.timeline.now)
    #expect(firstLine == (lines == 26 ? 36 * 7 + 5 : 36 * 3))
    browser.leave()
    await run
  }

  /// Waits until `isMet`, which reads observable properties.
  private func wait(until isMet: () -> Bool) async {
    while true {
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
      if withObservationTracking(isMet, onChange: { continuation.yield() }) { return }
      for await _ in changes { break }
    }
  }
}
