package import Cellophane

/// The rows of a list file: the URL of each image, the height of its row, and the size of its file.
package struct RowList: Sendable, Hashable {
  /// The URL of each row's image.
  package let urls: [String]
  /// The height of each row, in px.
  package let heights: [Int]
  /// The size of each image's file, in bytes; nil if the list does not contain it.
  package private(set) var bytes: [Int?]
  /// The number of each row's image, which encodes its format: even for PNG. Rows with equal URLs have the
  /// same number.
  let pictures: [Int]
  /// The first row of each image, by the image's number.
  private let rows: [Int: Int]
  /// The index of the host of each row's URL, in the order of first use.
  private let hosts: [Int]

  /// The number of different hosts.
  var hostCount: Int { (hosts.max() ?? 0) + 1 }

  /// An empty list. A result has this value, because the rows of its list are stored elsewhere.
  package static let none = RowList([])

  /// The file sizes that a list accepts, in bytes. Photographs of the largest cameras take up to 16 MB.
  package static let sizes = 1...16_000_000

  /// Reads `csv`, which has one record per row: a URL, the row's height in px and, if known, the size of the
  /// image's file in bytes. A URL with commas is in quotes. The first record may be a heading: then the columns `url`,
  /// `height` and `bytes` may have any order and other columns between them. Empty records are ignored.
  ///
  /// What spreadsheets write is accepted, as ``SpreadsheetText`` reads it: also capitals in the heading, blanks around any
  /// field, and semicolons or tabs instead of commas if the heading has them.
  ///
  /// - Parameter name: The name of the list in error messages.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first invalid line and the reason, if
  ///   a URL has two sizes, or if there are no rows.
  /// - Complexity: O(bytes).
  package init(name: String, csv: [UInt8]) throws(LoadError) {
    var rows: [ListedRow] = []
    var sizes: [String: Int] = [:]
    var text = SpreadsheetText(csv)
    let columns = Self.heading(of: &text)
    while true {
      do throws(LoadError) {
        guard let fields = try text.next((columns ?? .usual).delimiter) else { break }
        let row = try ListedRow(fields, columns)
        if let bytes = row.bytes, sizes.updateValue(bytes, forKey: row.url) ?? bytes != bytes {
          throw LoadError(.invalidRequest, "the URL has another size on an earlier line")
        }
        rows.append(row)
      } catch {
        throw LoadError(.invalidRequest, "\(name), line \(text.line): \(error.message)")
      }
    }
    guard !rows.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no rows") }
    // A size in one row holds for all rows with the same URL.
    self.init(rows.map { ListedRow(url: $0.url, height: $0.height, bytes: sizes[$0.url]) })
  }

  /// Returns true if `csv` is such a list and not a plain list of URLs: it has a heading with heights, or its first
  /// line ends in a comma and a number.
  package static func describes(_ csv: [UInt8]) -> Bool {
    var text = SpreadsheetText(csv)
    if heading(of: &text) != nil { return true }
    guard let first = text.firstLine, let comma = first.lastIndex(of: ",") else { return false }
    let last = first[first.index(after: comma)...].filter { !$0.isWhitespace }
    // The size may be missing after its comma. A number that is not a valid height still shows the intent.
    return last.isEmpty || Double(last) != nil
  }

  /// Returns the URLs of a list without heights with the numbers of their lines: those of the column `url`, or one per
  /// line if there is no heading.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of a line whose quoted field has no end.
  package static func urls(in list: [UInt8]) throws(LoadError) -> [(line: Int, url: String)] {
    var text = SpreadsheetText(list)
    let columns = text.heading()
    var urls: [(line: Int, url: String)] = []
    do throws(LoadError) {
      // No URL contains a NUL: without a heading, a record is a line.
      while let fields = try text.next(columns?.delimiter ?? 0) {
        let place = columns?["url"] ?? 0
        if place < fields.count, !fields[place].isEmpty { urls.append((text.line, fields[place])) }
      }
    } catch { throw LoadError(.invalidRequest, "line \(text.line): \(error.message)") }
    return urls
  }

  /// Reads the heading of a list with heights; nil without one.
  private static func heading(of text: inout SpreadsheetText) -> SpreadsheetText.Columns? {
    var rest = text
    guard let columns = rest.heading(), columns["height"] != nil else { return nil }
    text = rest
    return columns
  }

  /// Creates a list of `rows`.
  init(_ rows: [ListedRow]) {
    urls = rows.map(\.url)
    heights = rows.map(\.height)
    bytes = rows.map(\.bytes)
    var firsts: [String: Int] = [:]
    pictures = rows.enumerated().map { index, row in
      let first = firsts[row.url] ?? index
      firsts[row.url] = first
      return 2 * first + (row.isPNG ? 0 : 1)
    }
    var indices: [String: Int] = [:]
    hosts = rows.map { row in
      let host = Self.host(of: row.url)
      let index = indices[host] ?? indices.count
      indices[host] = index
      return index
    }
    self.rows = Dictionary(pictures.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Returns the list with its file sizes multiplied by `factor`, within ``sizes``. Unknown sizes remain unknown.
  func scalingBytes(by factor: Double) -> RowList {
    var list = self
    list.bytes = bytes.map { size in
      size.map {
        min(max(Int((Double($0) * factor).rounded()), Self.sizes.lowerBound), Self.sizes.upperBound)
      }
    }
    return list
  }

  /// Returns the scheme, the host and the port of `url` in lower case; an empty text for a path.
  private static func host(of url: String) -> String {
    guard let scheme = url.firstRange(of: "://") else { return "" }
    let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    return url[..<end].lowercased()
  }

  /// Returns the index of the host of `picture`'s URL.
  func host(of picture: Int) -> Int { rows[picture].map { hosts[$0] } ?? 0 }

  /// Returns the first row that shows `picture`; nil if absent.
  func row(of picture: Int) -> Int? { rows[picture] }
}
