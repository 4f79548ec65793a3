public import Cellophane

/// The rows of somebody's list, as a file tells them: the URL of each one's picture, how high it is, and how large the
/// file is that the picture comes in.
public struct RowList: Sendable, Hashable {
  /// The URL of each row's picture.
  public let urls: [String]
  /// The height of each row, in px.
  public let heights: [Int]
  /// The size of each picture's file, in bytes, where the list tells it.
  public let bytes: [Int?]
  /// The number of each row's picture, which tells its format: the same where URLs are the same, even for PNG.
  let pictures: [Int]
  /// The first row with the picture of each number.
  private let rows: [Int: Int]

  /// No rows: of a list that was played, they are elsewhere.
  public static let none = RowList([])

  /// The sizes that files can have, in bytes: from a byte to what photographs of the largest cameras take.
  public static let sizes = 1...16_000_000
  /// The headings that a file may have.
  public static let headings = ["url,height,bytes", "url,height"]

  /// Reads `csv`, a line for each row: a URL, in quotes if it has commas, the row's height in px and, where it is known,
  /// the size of the picture's file in bytes; the first line may be one of ``headings``. Empty lines are passed over.
  ///
  /// - Parameter name: What messages call it.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first line that is none of this, and why; when
  ///   there is no row; when a URL has two sizes.
  /// - Complexity: O(bytes).
  public init(name: String, csv: [UInt8]) throws(LoadError) {
    var rows: [Row] = []
    var sizes: [String: Int] = [:]
    for (index, text) in Self.lines(of: csv).enumerated() {
      if text.isEmpty || (index == 0 && Self.headings.contains(text)) { continue }
      do throws(LoadError) {
        let row = try Row(parsing: text)
        if let bytes = row.bytes, sizes.updateValue(bytes, forKey: row.url) ?? bytes != bytes {
          throw LoadError(.invalidRequest, "its URL has another size in a line before")
        }
        rows.append(row)
      } catch {
        throw LoadError(.invalidRequest, "\(name), line \(index + 1): \(error.message)")
      }
    }
    guard !rows.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no rows") }
    // A size that one row of a picture tells holds for all.
    self.init(rows.map { Row(url: $0.url, height: $0.height, bytes: sizes[$0.url]) })
  }

  /// Whether `text` is such a list, and not one of URLs alone: its first line is a heading or ends in a number behind a
  /// comma.
  public static func describes(_ text: [UInt8]) -> Bool {
    guard let first = lines(of: text).first(where: { !$0.isEmpty }) else { return false }
    if headings.contains(first) { return true }
    guard let comma = first.lastIndex(of: ",") else { return false }
    let last = first[first.index(after: comma)...].filter { !$0.isWhitespace }
    // The size may be left out behind its comma. A number that is no height is one that was meant, too.
    return last.isEmpty || Double(last) != nil
  }

  private static func lines(of text: [UInt8]) -> [String] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
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

  /// The first row that shows `picture`; nil when none does.
  func row(of picture: Int) -> Int? { rows[picture] }
}

/// One line of a ``RowList``.
private struct Row {
  let url: String
  let height: Int
  let bytes: Int?

  init(url: String, height: Int, bytes: Int?) {
    (self.url, self.height, self.bytes) = (url, height, bytes)
  }

  init(parsing text: String) throws(LoadError) {
    let (url, numbers) = try Self.divided(text)
    guard !url.isEmpty else { throw LoadError(.invalidRequest, "has no URL") }
    guard (1...2).contains(numbers.count) else {
      throw LoadError(
        .invalidRequest, "is not a URL, a height and perhaps a size, such as http://a.example/1.jpg,120,40000"
      )
    }
    guard let height = Int(numbers[0]), ListLayout.lengths.contains(height) else {
      throw LoadError(
        .invalidRequest, "the height '\(numbers[0].prefix(20))' is no whole number in 1...16384 px")
    }
    self.init(url: url, height: height, bytes: try numbers.dropFirst().first.flatMap(Self.size))
  }

  private static func size(_ text: Substring) throws(LoadError) -> Int? {
    if text.isEmpty { return nil }
    guard let bytes = Int(text), RowList.sizes.contains(bytes) else {
      throw LoadError(
        .invalidRequest, "the size '\(text.prefix(20))' is no whole number in 1...16000000 bytes")
    }
    return bytes
  }

  /// The URL, and what stands behind it.
  private static func divided(_ text: String) throws(LoadError) -> (url: String, numbers: [Substring]) {
    guard text.first == "\"" else {
      let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      return (fields.first.map(String.init) ?? "", Array(fields.dropFirst()))
    }
    let rest = text.dropFirst()
    guard let end = rest.firstIndex(of: "\"") else {
      throw LoadError(.invalidRequest, "has a quote that does not end")
    }
    let behind = rest[rest.index(after: end)...]
    guard behind.first == "," else { throw LoadError(.invalidRequest, "has no comma behind its URL") }
    return (String(rest[..<end]), behind.dropFirst().split(separator: ",", omittingEmptySubsequences: false))
  }

  /// Whether its picture is modelled as a PNG: what its URL says, and a JPEG else.
  var isPNG: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.suffix(4).lowercased() == ".png"
  }
}
