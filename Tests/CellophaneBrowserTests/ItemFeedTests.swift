internal import CellophaneScreens
internal import Synchronization
internal import Testing

@testable internal import CellophaneBrowser

@Suite("Pages of a browser's list")
struct ItemFeedTests {
  @Test("The first page that a search has brought is not asked for again")
  func feed() async throws {
    let source = Counting()
    let feed = ItemFeed(source)
    #expect(try await feed.page(at: nil).items.map(\.title) == [" 1"] && feed.total == 3)
    feed.begin(with: try await source.items(matching: "x", page: 1))
    #expect(
      try await feed.page(at: nil).items.map(\.title) == ["x 1"] && source.asked.value == [" 1", "x 1"])
    #expect(try await feed.page(at: 2).items.map(\.title) == ["x 2"])
    // But when the list begins anew.
    #expect(try await feed.page(at: nil).items.map(\.title) == ["x 1"] && source.asked.value.count == 4)
  }
}

/// What was asked for, in order.
private final class Asked: Sendable {
  private let list = Mutex<[String]>([])
  var value: [String] { list.withLock { $0 } }
  func note(_ text: String) { list.withLock { $0.append(text) } }
}

private struct Counting: ItemSource {
  let asked = Asked()

  func items(matching query: String, page: Int) async throws -> FoundItems {
    asked.note("\(query) \(page)")
    let item = BrowseItem(title: "\(query) \(page)", section: nil, url: "", number: nil)
    return FoundItems(query: query, items: [item], next: page + 1, total: 3)
  }
}
