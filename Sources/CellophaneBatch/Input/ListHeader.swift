internal import Cellophane

/// The header of a list with columns.
struct ListHeader: Sendable {
  /// The index of the column of the URLs.
  let column: Int
  /// The distinct names of the columns as JSON strings.
  let names: [[UInt8]]

  init(_ row: ColumnSplitter.Record, field: FieldName) throws(LoadError) {
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
      // The first ten names, shortened to 40 characters.
      let some = texts.prefix(10).map { "'\($0.prefix(40))'" }.joined(separator: ", ")
      throw LoadError(
        .invalidRequest,
        "it has no column '\(field)', but \(some)\(texts.count > 10 ? ", ..." : ""); "
          + "name the column of the URLs with --column\(field.caseHint(for: texts))")
    }
    self.column = column
    var seen: Set<String> = []
    names = texts.enumerated().map { index, text in
      let isPlain = !text.isEmpty && seen.insert(text).inserted
      var bytes: [UInt8] = []
      bytes.append(json: isPlain ? text : "column \(index + 1)")
      return bytes
    }
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
