internal import Cellophane
internal import CellophaneScreens

/// An item of the list.
package struct BrowseItem: Sendable, Hashable {
  /// The title, without control characters.
  package let title: String
  package let section: String?
  /// The URL of the image.
  package let url: String
  /// The row number in the pixels of the image; nil for images that are not from an embedded origin.
  package let number: Int?
  /// The reason why the image cannot be requested; nil if it can.
  package var defect: String?

  /// Creates an item from its values.
  package init(title: String, section: String?, url: String, number: Int?, defect: String? = nil) {
    (self.title, self.section, self.url) = (title, section, url)
    (self.number, self.defect) = (number, defect)
  }

  /// Returns `url` for display, without user and password if it is not valid. A valid URL has none.
  package static func shown(_ url: String) -> String {
    (try? CanonicalURL.parse(url)) == nil ? CanonicalURL.withoutUser(url) : url
  }
}

/// One page of items.
package struct FoundItems: Sendable, Hashable {
  /// The text of the search; empty for all items.
  package let query: String
  package let items: [BrowseItem]
  /// The number of the next page; nil for the last page.
  package let next: Int?
  /// The number of items on all pages.
  package let total: Int

  /// Creates a page from its values.
  package init(query: String, items: [BrowseItem], next: Int?, total: Int) {
    (self.query, self.items, self.next, self.total) = (query, items, next, total)
  }
}

/// A source of items.
package protocol ItemSource: Sendable {
  /// Returns a page, numbered from 1, of the items that match `query`; of all items for an empty query.
  func items(matching query: String, page: Int) async throws -> FoundItems
}

/// The first page of items as the result of a search.
struct ItemSearch: SearchRepository {
  let source: any ItemSource

  func results(for text: String) async throws -> FoundItems {
    try await source.items(matching: text, page: 1)
  }
}

/// The pages of the last search, or of all items.
///
/// Not `Sendable`: the actor of the list owns it.
final class ItemFeed: PagingSource {
  private let source: any ItemSource
  /// The text of the search; empty for all items.
  private(set) var query = ""
  /// The total number of items; nil before the first page.
  private(set) var total: Int?
  /// The first page, if the search has already loaded it.
  private var first: FoundItems?

  init(_ source: some ItemSource) { self.source = source }

  /// Switches to the pages of a search, with `found` as the first page.
  func begin(with found: FoundItems) { (query, first) = (found.query, found) }

  func page(at cursor: Int?) async throws -> Page<BrowseItem, Int> {
    let query = query
    let found: FoundItems
    if cursor == nil, let first {
      found = first
      self.first = nil
    } else {
      found = try await source.items(matching: query, page: cursor ?? 1)
    }
    if query == self.query { total = found.total }
    return Page(found.items, next: found.next)
  }
}
