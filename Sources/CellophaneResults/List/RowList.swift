package import Cellophane

/// The rows of a list file: the URL of each image, the height of its row, and the size of its file.
package struct RowList: Sendable, Hashable {
  /// The URL of each row's image.
  package let urls: [String]
  /// The height of each row, in px.
  package let heights: [Int]
  /// The size of each image's file, in bytes; nil if the list does not contain it.
  package let bytes: [Int?]
  /// The number of each row's image, which encodes its format: even for PNG. Rows with equal URLs have the
  /// same number.
  let pictures: [Int]
  /// The first row of each image, by the image's number.
  private let rows: [Int: Int]

  /// An empty list. A result has this value, because the rows of its list are stored elsewhere.
  package static let none = RowList([])

  /// The file sizes that a list accepts, in bytes. Photographs of the largest cameras take up to 16 MB.
  package static let sizes = 1...16_000_000

  /// Reads `csv`, which has one line per row: a URL, the row's height in px and, if known, the size of the
  /// image's file in bytes. A URL with commas is in quotes. The first line may be the heading `url,height` or
  /// `url,height,bytes`. Empty lines are ignored.
  ///
  /// What spreadsheets add is accepted: a byte order mark, capitals in the heading, quotes and blanks around any field,
  /// and semicolons or tabs instead of commas if the heading has them.
  ///
  /// - Parameter name: The name of the list in error messages.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first invalid line and the reason, if
  ///   a URL has two sizes, or if there are no rows.
  /// - Complexity: O(bytes).
  package init(name: String, csv: [UInt8]) throws(LoadError) {
    var rows: [Row] = []
    var sizes: [String: Int] = [:]
    let lines = Self.lines(of: csv)
    let first = lines.first { !$0.isEmpty }
    let heading = first.flatMap(RowListHeading.init)
    for (index, text) in lines.enumerated() {
      if text.isEmpty || (heading != nil && rows.isEmpty && text == first) { continue }
      do throws(LoadError) {
        let row = try Row(parsing: text, delimiter: heading?.delimiter ?? ",")
        if let bytes = row.bytes, sizes.updateValue(bytes, forKey: row.url) ?? bytes != bytes {
          throw LoadError(.invalidRequest, "the URL has another size on an earlier line")
        }
        rows.append(row)
      } catch {
        throw LoadError(.invalidRequest, "\(name), line \(index + 1): \(error.message)")
      }
    }
    guard !rows.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no rows") }
    // A size in one row holds for all rows with the same URL.
    self.init(rows.map { Row(url: $0.url, height: $0.height, bytes: sizes[$0.url]) })
  }

  /// Returns true if `text` is such a list and not a plain list of URLs: its first line is a heading, or ends
  /// in a comma and a number.
  package static func describes(_ text: [UInt8]) -> Bool {
    guard let first = lines(of: text).first(where: { !$0.isEmpty }) else { return false }
    if RowListHeading(first) != nil { return true }
    guard let comma = first.lastIndex(of: ",") else { return false }
    let last = first[first.index(after: comma)...].filter { !$0.isWhitespace }
    // The size may be missing after its comma. A number that is not a valid height still shows the intent.
    return last.isEmpty || Double(last) != nil
  }

  private static func lines(of text: [UInt8]) -> [String] {
    let mark = [0xEF, 0xBB, 0xBF] as [UInt8]
    return (text.starts(with: mark) ? text.dropFirst(3) : text[...]).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    )
    .map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  private init(_ rows: [Row]) {
    urls = rows.map(\.url)
    heights = rows.map(\.height)
    bytes = rows.map(\.bytes)
    var firsts: [String: Int] = [:]
    pictures = rows.enumerated().map { index, row in
      let first = firsts[row.url] ?? index
      firsts[row.url] = first
      return 2 * first + (row.isPNG ? 0 : 1)
    }
    self.rows = Dictionary(pictures.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Returns the first row that shows `picture`; nil if absent.
  func row(of picture: Int) -> Int? { rows[picture] }
}

/// One row of a ``RowList``.
private struct Row {
  let url: String
  let height: Int
  let bytes: Int?

  init(url: String, height: Int, bytes: Int?) {
    (self.url, self.height, self.bytes) = (url, height, bytes)
  }

  init(parsing text: String, delimiter: Character) throws(LoadError) {
    let fields = try Self.fields(of: text, delimiter: delimiter)
    let (url, numbers) = (fields[0], fields.dropFirst().map { $0 })
    guard !url.isEmpty else { throw LoadError(.invalidRequest, "the URL is missing") }
    guard (1...2).contains(numbers.count) else {
      throw LoadError(
        .invalidRequest,
        "must be a URL, a height and an optional size, such as http://a.example/1.jpg,120,40000"
      )
    }
    guard let height = Int(numbers[0]), ListLayout.lengths.contains(height) else {
      throw LoadError(
        .invalidRequest, "the height '\(numbers[0].prefix(20))' is not a whole number from 1 to 16384 px")
    }
    self.init(url: url, height: height, bytes: try numbers.count == 2 ? Self.size(numbers[1]) : nil)
  }

  private static func size(_ text: String) throws(LoadError) -> Int? {
    if text.isEmpty { return nil }
    guard let bytes = Int(text), RowList.sizes.contains(bytes) else {
      throw LoadError(
        .invalidRequest, "the size '\(text.prefix(20))' is not a whole number from 1 to 16000000 bytes")
    }
    return bytes
  }

  /// Returns the fields of a line, at least one. A field in quotes may contain the delimiter, and a quote as two quotes.
  private static func fields(of line: String, delimiter: Character) throws(LoadError) -> [String] {
    var fields: [String] = []
    var rest = line[...]
    while true {
      rest = rest.drop { $0 == " " }
      var field = ""
      if rest.first == "\"" {
        repeat {
          rest = rest.dropFirst()
          guard let end = rest.firstIndex(of: "\"") else {
            throw LoadError(.invalidRequest, "a quoted field has no closing quote")
          }
          field += rest[..<end] + "\""
          rest = rest[end...].dropFirst()
        } while rest.first == "\""
        field.removeLast()
        rest = rest.drop { $0 == " " }
        guard rest.isEmpty || rest.first == delimiter else {
          throw LoadError(.invalidRequest, "a delimiter must follow the closing quote of a field")
        }
      } else {
        let end = rest.firstIndex(of: delimiter) ?? rest.endIndex
        field = String(rest[..<end])
        while field.last == " " { field.removeLast() }
        rest = rest[end...]
      }
      fields.append(field)
      if rest.isEmpty { return fields }
      rest = rest.dropFirst()
    }
  }

  /// True if its image is modeled as a PNG, because its URL ends in `.png`; otherwise as a JPEG.
  var isPNG: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.suffix(4).lowercased() == ".png"
  }
}

/// The heading of a row list, in any of the forms that spreadsheets write.
private struct RowListHeading {
  /// The character between the fields of all lines.
  let delimiter: Character

  /// Recognizes `url,height` and `url,height,bytes`, without regard to case, quotes and blanks; nil for another line.
  init?(_ line: String) {
    let plain = line.lowercased().filter { $0 != "\"" && $0 != " " }
    // Spreadsheets write semicolons where the decimal separator is a comma.
    let delimiters: [Character] = [",", ";", "\t"]
    let found = delimiters.first { delimiter in
      let names = plain.split(separator: delimiter, omittingEmptySubsequences: false)
      return names == ["url", "height", "bytes"] || names == ["url", "height"]
    }
    guard let found else { return nil }
    delimiter = found
  }
}
