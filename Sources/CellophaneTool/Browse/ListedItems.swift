internal import Cellophane
internal import CellophaneBatch
internal import CellophaneBrowser
internal import Synchronization

/// The URLs of a list with one URL per line, in the format of `prefetch`.
///
/// A line without a valid URL is an item with the reason.
struct ListedItems: ItemSource {
  /// Checks a URL; throws the reason why it cannot be requested.
  typealias Check = @Sendable (_ url: String) throws(LoadError) -> Void

  /// The number of items per page. 5 000: a hundred thousand items have twenty pages.
  private static let pageLength = 5_000
  /// The maximum size of a list. 64 MB: half a million URLs of average length, more rows than anybody scrolls through.
  private static let longest = 64 << 20

  /// The last search and the indices of its results. A search with many pages thus reads the list once.
  private final class LastSearch: Sendable {
    let value = Mutex<(query: String, indices: [Int])?>(nil)
  }

  private let records: [ListRecord]
  private let lastSearch = LastSearch()
  private let check: Check

  /// Reads the list at `path`, or on standard input for `-`.
  ///
  /// - Throws: ``LoadError`` if it cannot be read, or if it has no line.
  init(contentsOf path: String, check: @escaping Check) throws(LoadError) {
    let bytes = try FileIO.read(path, limit: Self.longest)
    let name = path == "-" ? "standard input" : "the list '\(path)'"
    do throws(LoadError) {
      try self.init(bytes, check: check)
    } catch {
      throw LoadError(error.kind, "cannot read \(name): \(error.message)")
    }
    if records.isEmpty { throw LoadError(.invalidRequest, "\(name) has no URL") }
  }

  /// Reads the list in `bytes`.
  ///
  /// - Throws: ``LoadError`` if they are not a list.
  init(_ bytes: [UInt8], check: @escaping Check) throws(LoadError) {
    var reader = ListReader(.lines)
    reader.command = "browse"
    let beginning = try reader.read(bytes)
    records = beginning + (try reader.finish())
    self.check = check
  }

  /// Searches the whole list. Concurrent, because that may take a second, in which keys have to be read.
  @concurrent
  func items(matching query: String, page: Int) async throws -> FoundItems {
    try Task.checkCancellation()
    let indices = try indices(matching: query)
    let count = indices?.count ?? records.count
    let start = min(count, max(0, page - 1) * Self.pageLength)
    let end = min(count, start + Self.pageLength)
    let items = (start..<end).map { item(records[indices?[$0] ?? $0]) }
    return FoundItems(query: query, items: items, next: end < count ? page + 1 : nil, total: count)
  }

  /// Returns the indices of the matching records; nil for all records.
  private func indices(matching query: String) throws -> [Int]? {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    if words.isEmpty { return nil }
    if let last = lastSearch.value.withLock(\.self), last.query == query { return last.indices }
    let indices = try records.indices.filter { index in
      try Task.checkCancellation()
      let url = records[index].url.lowercased()
      return words.allSatisfy { url.contains($0) }
    }
    lastSearch.value.withLock { $0 = (query, indices) }
    return indices
  }

  /// Returns the item of a record. The title is the last component of the URL's path, the section the part before it.
  private func item(_ record: ListRecord) -> BrowseItem {
    let url = BrowseItem.shown(record.url)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let parents = parts.dropFirst(path.contains("://") ? 1 : 0).dropLast()
    let title = parts.last.map(String.init) ?? url
    return BrowseItem(
      title: title.printable,
      section: parents.isEmpty ? nil : parents.joined(separator: "/").printable,
      url: record.url, number: Self.number(of: parts.suffix(2)), defect: defect(of: record))
  }

  /// Returns the reason why a record cannot be requested; nil if it can.
  private func defect(of record: ListRecord) -> String? {
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      try check(record.url)
      return nil
    } catch {
      return "line \(record.line): \(error.message.reasonFirst)"
    }
  }

  /// Returns the row number in the pixels of the image at `/row/N.png` of an embedded origin; nil for other paths.
  private static func number(of parts: ArraySlice<Substring>) -> Int? {
    guard parts.count == 2, parts.first == "row" else { return nil }
    return parts.last.flatMap { Int($0.prefix { $0 != "." }) }
  }
}
