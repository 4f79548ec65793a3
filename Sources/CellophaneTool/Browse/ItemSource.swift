internal import Cellophane
internal import CellophaneScreens
internal import CellophaneSimulation

/// An entry of the list.
struct BrowseItem: Sendable, Hashable {
  /// For people; nothing in it steers a terminal.
  let title: String
  let section: String?
  /// Where its picture is.
  let url: String
  /// The row that its picture carries in its pixels, if it is one of an embedded origin's.
  let number: Int?
  /// Why nothing can be asked for.
  var defect: String?

  /// What may be shown of `url`: all of one that can be used, which has no password.
  static func shown(_ url: String) -> String {
    (try? CanonicalURL.parse(url)) == nil ? CanonicalURL.withoutUser(url) : url
  }
}

/// A part of what a search has found.
struct FoundItems: Sendable, Hashable {
  /// What was searched for; empty for everything.
  let query: String
  let items: [BrowseItem]
  /// The number of the page behind it; nil when this is the last.
  let next: Int?
  /// How many items there are on all pages.
  let total: Int
}

/// Where the items come from.
protocol ItemSource: Sendable {
  /// The page with this number, from 1, of what is found for `query`; of everything for an empty one.
  func items(matching query: String, page: Int) async throws -> FoundItems
}

/// Items as the answer to a search: the first page of them.
struct ItemSearch: SearchRepository {
  let source: any ItemSource

  func results(for text: String) async throws -> FoundItems {
    try await source.items(matching: text, page: 1)
  }
}

/// Pages of what was searched for last, or of everything.
///
/// Not `Sendable`: it belongs to the actor of the list.
final class ItemFeed: PagingSource {
  private let source: any ItemSource
  /// What the pages are of.
  private(set) var query = ""
  /// How many items there are in all; nil as long as nobody has told.
  private(set) var total: Int?
  /// The page that the search has brought.
  private var first: FoundItems?

  init(_ source: some ItemSource) { self.source = source }

  /// From now on the pages are those of `found`, of which the first need not be asked for again.
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
  /// What stands before its paths.
  let base: String
  /// The wait before each answer, in ms, and the share of answers that fail; nil to say nothing of it.
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
  /// As the value of a field in a URL (WHATWG URL, `application/x-www-form-urlencoded`).
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
