internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneSimulation

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
    let found = try await load(url)
    return FoundItems(
      query: query, items: found.items.map(item), next: found.page < found.pages ? found.page + 1 : nil,
      total: found.total)
  }

  /// Loads a page of items.
  ///
  /// - Throws: ``LoadError``, with advice if the response suggests that the origin has no such interface.
  private func load(_ url: String) async throws(LoadError) -> ItemPage {
    do throws(LoadError) {
      return try await loader.load(Request(url, options: NoOptions(), priority: .visible)).value
    } catch {
      guard error.kind == .corrupt || error.status == 404 else { throw error }
      let reason = error.status.map { "answered \($0)" } ?? "has no items as JSON"
      throw LoadError(
        error.kind, "\(base)/items \(reason) (for images, browse a list)", status: error.status)
    }
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
