internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// The URLs of a list, one a line, read as `prefetch` reads them. A line that asks for nothing is an item that tells why.
struct ListedItems: ItemSource {
  /// What is wrong with a URL; throws it.
  typealias Check = @Sendable (_ url: String) throws(LoadError) -> Void

  /// Items of a page. 5 000: twenty steps to the end of a hundred thousand.
  private static let pageLength = 5_000
  /// 64 MB: half a million URLs of ordinary length, more rows than a list that one scrolls.
  private static let longest = 64 << 20

  /// What was searched for last, and the places of what was found: a search of many pages looks through the list once.
  private final class LastSearch: Sendable {
    let value = Mutex<(query: String, places: [Int])?>(nil)
  }

  private let records: [ListRecord]
  private let lastSearch = LastSearch()
  private let check: Check

  /// The list at `path`, or on standard input for `-`.
  ///
  /// - Throws: ``LoadError`` when it cannot be read, or has no line.
  init(contentsOf path: String, check: @escaping Check) throws(LoadError) {
    let bytes = try FileOutput.read(path, limit: Self.longest)
    let name = path == "-" ? "standard input" : "the list '\(path)'"
    do throws(LoadError) {
      try self.init(bytes, check: check)
    } catch {
      throw LoadError(error.kind, "cannot read \(name): \(error.message)")
    }
    if records.isEmpty { throw LoadError(.invalidRequest, "\(name) has no URL") }
  }

  /// The lines in `bytes`.
  ///
  /// - Throws: ``LoadError`` when they are no list.
  init(_ bytes: [UInt8], check: @escaping Check) throws(LoadError) {
    var reader = ListReader(.lines)
    reader.command = "browse"
    let beginning = try reader.read(bytes)
    records = beginning + (try reader.finish())
    self.check = check
  }

  /// Looks through the whole list: elsewhere, because that may take a second, in which keys are read.
  @concurrent
  func items(matching query: String, page: Int) async throws -> FoundItems {
    try Task.checkCancellation()
    let places = try places(matching: query)
    let count = places?.count ?? records.count
    let start = min(count, max(0, page - 1) * Self.pageLength)
    let end = min(count, start + Self.pageLength)
    let items = (start..<end).map { item(records[places?[$0] ?? $0]) }
    return FoundItems(query: query, items: items, next: end < count ? page + 1 : nil, total: count)
  }

  /// Where in the list what is found stands; nil for all of it.
  private func places(matching query: String) throws -> [Int]? {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    if words.isEmpty { return nil }
    if let last = lastSearch.value.withLock(\.self), last.query == query { return last.places }
    let places = try records.indices.filter { place in
      try Task.checkCancellation()
      let url = records[place].url.lowercased()
      return words.allSatisfy { url.contains($0) }
    }
    lastSearch.value.withLock { $0 = (query, places) }
    return places
  }

  /// What a URL is called: the last part of its path, in the section of what stands before.
  private func item(_ record: ListRecord) -> BrowseItem {
    let url = BrowseItem.shown(record.url)
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let place = parts.dropFirst(path.contains("://") ? 1 : 0).dropLast()
    let title = parts.last.map(String.init) ?? url
    return BrowseItem(
      title: title.printable,
      section: place.isEmpty ? nil : place.joined(separator: "/").printable,
      url: record.url, number: Self.number(of: parts.suffix(2)), defect: defect(of: record))
  }

  /// Why a line asks for nothing; nil when it asks for something.
  private func defect(of record: ListRecord) -> String? {
    do throws(LoadError) {
      if let defect = record.defect { throw defect }
      try check(record.url)
      return nil
    } catch {
      return "line \(record.line): \(error.message.reasonFirst)"
    }
  }

  /// The row that the picture at `/row/N.png` of an embedded origin carries.
  private static func number(of parts: ArraySlice<Substring>) -> Int? {
    guard parts.count == 2, parts.first == "row" else { return nil }
    return parts.last.flatMap { Int($0.prefix { $0 != "." }) }
  }
}
