internal import CellophaneScreens
internal import Synchronization
internal import Testing

@testable internal import CellophaneBrowser

@Suite("Pages of the item list")
struct ItemFeedTests {
  @Test("the first page of a search is not requested again")
  func feed() async throws {
    let source = CountingSource()
    let feed = ItemFeed(source)
    #expect(try await feed.page(at: nil).items.map(\.title) == [" 1"] && feed.total == 3)
    feed.begin(with: try await source.items(matching: "x", page: 1))
    #expect(
      try await feed.page(at: nil).items.map(\.title) == ["x 1"] && source.calls.value == [" 1", "x 1"])
    #expect(try await feed.page(at: 2).items.map(\.title) == ["x 2"])
    // A restart of the list requests it again.
    #expect(try await feed.page(at: nil).items.map(\.title) == ["x 1"] && source.calls.value.count == 4)
  }
}

/// The calls of a source, in order.
private final class CallLog: Sendable {
  private let list = Mutex<[String]>([])
  var value: [String] { list.withLock { $0 } }
  func note(_ text: String) { list.withLock { $0.append(text) } }
}

private struct CountingSource: ItemSource {
  let calls = CallLog()

  func items(matching query: String, page: Int) async throws -> FoundItems {
    calls.note("\(query) \(page)")
    let item = BrowseItem(title: "\(query) \(page)", section: nil, url: "", number: nil)
    return FoundItems(query: query, items: [item], next: page + 1, total: 3)
  }
}
