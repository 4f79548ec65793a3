internal import Cellophane

/// One row of a ``RowList``.
struct ListedRow {
  let url: String
  let height: Int
  let bytes: Int?

  init(url: String, height: Int, bytes: Int?) {
    (self.url, self.height, self.bytes) = (url, height, bytes)
  }

  /// Reads the fields of a record, in the usual order without `columns`.
  init(_ fields: [String], _ columns: SpreadsheetText.Columns?) throws(LoadError) {
    func field(_ name: String) -> String? {
      (columns ?? .usual)[name].flatMap { $0 < fields.count ? fields[$0] : nil }
    }
    guard let url = field("url"), !url.isEmpty else { throw LoadError(.invalidRequest, "the URL is missing") }
    guard let tall = field("height"), columns != nil || fields.count <= 3 else {
      throw LoadError(
        .invalidRequest,
        "must be a URL, a height and an optional size, such as http://a.example/1.jpg,120,40000"
      )
    }
    guard let height = Self.wholeNumber(tall), ListLayout.lengths.contains(height) else {
      throw LoadError(
        .invalidRequest, "the height '\(tall.prefix(20))' is not a whole number from 1 to 16384 px")
    }
    self.init(url: url, height: height, bytes: try Self.size(field("bytes") ?? ""))
  }

  private static func size(_ text: String) throws(LoadError) -> Int? {
    if text.isEmpty { return nil }
    guard let bytes = wholeNumber(text), RowList.sizes.contains(bytes) else {
      throw LoadError(
        .invalidRequest, "the size '\(text.prefix(20))' is not a whole number from 1 to 16000000 bytes")
    }
    return bytes
  }

  /// Reads a whole number, also as programs write it that have only floating-point numbers: `120.0` or `4E+04`.
  private static func wholeNumber(_ text: String) -> Int? {
    Int(text) ?? Double(text).flatMap(Int.init(exactly:))
  }

  /// True if its image is modeled as a PNG, because its URL ends in `.png`; otherwise as a JPEG.
  var isPNG: Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.suffix(4).lowercased() == ".png"
  }
}
