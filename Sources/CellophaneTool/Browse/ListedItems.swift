internal import Cellophane

/// The URLs of a list, one a line.
struct ListedItems: ItemSource {
  /// Items of a page: some screens.
  private static let pageLength = 50

  private let items: [BrowseItem]

  /// The items of a list's lines, of which those that are blank are passed over.
  init(lines: some Sequence<some StringProtocol>) {
    items = lines.compactMap { line in
      let url = String(line.filter { !$0.isWhitespace })
      return url.isEmpty ? nil : Self.item(url)
    }
  }

  /// How many there are.
  var count: Int { items.count }

  /// The URLs as they stand in the list.
  var urls: [String] { items.map(\.url) }

  func items(matching query: String, page: Int) async throws -> FoundItems {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    let found =
      words.isEmpty
      ? items
      : items.filter { item in
        let url = item.url.lowercased()
        return words.allSatisfy { url.contains($0) }
      }
    let start = min(found.count, max(0, page - 1) * Self.pageLength)
    let end = min(found.count, start + Self.pageLength)
    return FoundItems(
      query: query, items: Array(found[start..<end]), next: end < found.count ? page + 1 : nil,
      total: found.count)
  }

  /// What a URL is called: the last part of its path, in the section of what stands before.
  private static func item(_ url: String) -> BrowseItem {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let place = parts.dropFirst(path.contains("://") ? 1 : 0).dropLast()
    let title = parts.last.map(String.init) ?? url
    return BrowseItem(
      title: title.printable,
      section: place.isEmpty ? nil : CanonicalURL.withoutUser(place.joined(separator: "/")).printable,
      url: url, number: number(of: parts.suffix(2)))
  }

  /// The row that the picture at `/row/N.png` of an embedded origin carries.
  private static func number(of parts: ArraySlice<Substring>) -> Int? {
    guard parts.count == 2, parts.first == "row" else { return nil }
    return parts.last.flatMap { Int($0.prefix { $0 != "." }) }
  }
}
