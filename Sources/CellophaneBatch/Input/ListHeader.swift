internal import Cellophane

/// The header of a list with columns.
struct ListHeader: Sendable {
  /// The index of the column of the URLs.
  let column: Int
  /// The distinct names of the columns as JSON strings.
  let names: [[UInt8]]

  /// - Parameter required: The names of other columns that the list must have.
  init(
    _ row: ColumnSplitter.Record, field: FieldName, requiring required: [String] = []
  ) throws(LoadError) {
    guard row.defect == nil else {
      throw LoadError(
        .invalidRequest, "its first record is not a header: it is too long or has an unclosed quote")
    }
    // Within quotes, a header may contain CRLF.
    guard !(0..<row.count).contains(where: { row[$0].hasLoneReturn }) else {
      throw LoadError(
        .invalidRequest,
        "its lines end with a carriage return alone; convert them with tr '\\r' '\\n'")
    }
    let texts = (0..<row.count).map { String(decoding: row[$0].trimmed, as: UTF8.self) }
    guard let column = texts.firstIndex(where: field.matches) else {
      guard !texts.contains(where: ListInput.isURL) else {
        let remedy = texts.count == 1 ? "use --format lines" : "add a line with the names of the columns"
        throw LoadError(.invalidRequest, "its first line has a URL and is not a header; \(remedy)")
      }
      throw Self.missing(
        "\(field)", among: texts, "name the column of the URLs with --column\(field.caseHint(for: texts))")
    }
    self.column = column
    var seen: Set<String> = []
    let distinct = texts.enumerated().map { index, text in
      !text.isEmpty && seen.insert(text).inserted ? text : "column \(index + 1)"
    }
    if let name = required.first(where: { !distinct.contains($0) || $0 == distinct[column] }) {
      let others = distinct.enumerated().filter { $0.offset != column }.map(\.element)
      throw Self.missing(
        name, among: others, "name another one\(FieldName(name).caseHint(for: others))")
    }
    names = distinct.map { text in
      var bytes: [UInt8] = []
      bytes.append(json: text)
      return bytes
    }
  }

  private static func missing(_ name: String, among texts: [String], _ remedy: String) -> LoadError {
    // The first ten names, shortened to 40 characters.
    let some = texts.prefix(10).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
    let others = texts.isEmpty ? "" : ", but \(some)\(texts.count > 10 ? ", ..." : "")"
    return LoadError(.invalidRequest, "it has no column '\(name)'\(others); \(remedy)")
  }

  func otherFields(of row: ColumnSplitter.Record) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<row.count where index != column {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes += names[index]
      bytes.append(UInt8(ascii: ":"))
      bytes.append(json: String(decoding: row[index], as: UTF8.self))
    }
    return bytes
  }
}
