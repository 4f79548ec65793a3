internal import Cellophane
internal import CellophaneScreens
internal import CellophaneSimulation

/// An item of the list.
struct BrowseItem: Sendable, Hashable {
  /// The title, without control characters.
  let title: String
  let section: String?
  /// The URL of the image.
  let url: String
  /// The row number in the pixels of the image; nil for images that are not from an embedded origin.
  let number: Int?
  /// The reason why the image cannot be requested; nil if it can.
  var defect: String?

  /// Returns `url` for display, without user and password if it is not valid. A valid URL has none.
  static func shown(_ url: String) -> String {
    (try? CanonicalURL.parse(url)) == nil ? CanonicalURL.withoutUser(url) : url
  }
}

/// One page of items.
struct FoundItems: Sendable, Hashable {
  /// The text of the search; empty for all items.
  let query: String
  let items: [BrowseItem]
  /// The number of the next page; nil for the last page.
  let next: Int?
  /// The number of items on all pages.
  let total: Int
}

/// A source of items.
protocol ItemSource: Sendable {
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

/// The search and paging interface of an embedded origin.
struct OriginItems: ItemSource {
  /// The common prefix of its URLs.
  let base: String
  /// The requested delay of each response in ms, and the requested share of failures; nil to omit the parameter.
  let delay: Int?
  let fail: Double?
  let loader: ResourceLoader<JSONResourceDecoder<ItemPage>>

  func items(matching query: String, page: Int) async throws -> FoundItems {
    var url = base + "/items?q=\(query.formEncoded)&page=\(page)&per_page=20"
    if let delay { url += "&delay=\(delay)" }
    if let fail { url += "&fail=\(fail)" }
    let found = try await loader.load(Request(url, options: NoOptions(), priority: .visible)).value
    return FoundItems(
      query: query, items: found.items.map(item), next: found.page < found.pages ? found.page + 1 : nil,
      total: found.total)
  }

  private func item(_ item: ItemPage.Item) -> BrowseItem {
    BrowseItem(
      title: item.title.printable, section: item.section.printable,
      url: item.picture.hasPrefix("/") ? base + item.picture : item.picture, number: item.row)
  }
}

extension String {
  /// The text encoded as a value of a query (WHATWG URL, `application/x-www-form-urlencoded`).
  fileprivate var formEncoded: String {
    utf8.reduce(into: "") { text, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
