internal import Cellophane
internal import CellophaneBatch

/// The URLs of a list, one a line, read as `prefetch` reads them. A line that asks for nothing is an item that tells why.
struct ListedItems: ItemSource {
  /// What is wrong with a URL; throws it.
  typealias Check = @Sendable (_ url: String) throws(LoadError) -> Void

  /// Items of a page: some screens.
  private static let pageLength = 50
  /// 64 MB: half a million URLs of ordinary length, more rows than a list that one scrolls.
  private static let longest = 64 << 20

  private let records: [ListRecord]
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

  /// Looks through the whole list for each page: elsewhere, because that may take a second, in which keys are read.
  @concurrent
  func items(matching query: String, page: Int) async throws -> FoundItems {
    let words = query.lowercased().split(whereSeparator: \.isWhitespace)
    let found =
      words.isEmpty
      ? records
      : try records.filter { record in
        try Task.checkCancellation()
        let url = record.url.lowercased()
        return words.allSatisfy { url.contains($0) }
      }
    let start = min(found.count, max(0, page - 1) * Self.pageLength)
    let end = min(found.count, start + Self.pageLength)
    return FoundItems(
      query: query, items: found[start..<end].map(item), next: end < found.count ? page + 1 : nil,
      total: found.count)
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
