internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import Observation
internal import Testing

@testable internal import CellophaneTool

@Suite("What a browser tells of its search", .timeLimit(.minutes(1)))
@MainActor
struct BrowserTests {
  private struct Items: ItemSource {
    func items(matching query: String, page: Int) async throws -> FoundItems {
      if query == "bad" {
        throw LoadError(
          .status, "http://127.0.0.1:8080/items?q=bad&page=1&per_page=20 answered 503", isRetryable: true)
      }
      let items = (0..<3).map { BrowseItem(title: "\(query) \($0)", section: nil, url: "", number: nil) }
      return FoundItems(query: query, items: items, next: nil, total: items.count)
    }
  }

  private func browser() -> Browser {
    let images = ImageLoader(bytes: ByteLoader(transport: CurlTransport()), decoder: ImageDecoder())
    let parts = Browser.Parts(
      name: "here", items: Items(), pictures: images, request: { _, _ in nil },
      abilities: Abilities(form: .blocks, depth: .none), showsWrong: false, timeline: Timeline())
    return Browser(parts, size: TerminalSize(columns: 80, lines: 24)) { _ in }
  }

  private func outcome(_ browser: Browser) -> String? {
    let now = browser.parts.timeline.now
    let motion = browser.scroller.motion(browser.lines.layout, at: now)
    return browser.view(of: motion, firstLine: 0).search?.outcome
  }

  @Test("What became of the text before is not told of the one that waits")
  func waiting() async {
    let browser = browser()
    browser.read(Array("/a".utf8))
    #expect(outcome(browser) == "Esc clears")
    await wait { browser.search.state.results != nil }
    #expect(outcome(browser) == "3 found  Esc clears")
    browser.read(Array("b".utf8))
    #expect(outcome(browser) == "Esc clears")
    await wait { !browser.search.state.isWaiting && !browser.search.state.isLoading }
    #expect(outcome(browser) == "3 found  Esc clears")
  }

  @Test("Why it failed comes before the URL")
  func failing() async {
    let browser = browser()
    browser.read(Array("/bad".utf8))
    await wait { browser.search.state.failure != nil }
    #expect(
      outcome(browser)
        == "failed, r retries: answered 503: http://127.0.0.1:8080/items?q=bad&page=1&per_page=20")
    browser.read(Array("x".utf8))
    #expect(outcome(browser) == "Esc clears")
    #expect(
      "the URL has no host".reasonFirst == "the URL has no host" && "http://a".reasonFirst == "http://a")
  }

  /// Returns once `isMet`, which reads what is observed.
  private func wait(until isMet: () -> Bool) async {
    while true {
      let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
      if withObservationTracking(isMet, onChange: { continuation.yield() }) { return }
      for await _ in changes { break }
    }
  }
}
