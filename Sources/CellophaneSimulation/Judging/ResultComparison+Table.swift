extension ResultComparison {
  /// The comparison as a table for people, at most 80 columns wide, with a final line break.
  ///
  /// - Parameter names: What the two are called, such as their files.
  public func table(_ names: [String]) -> String {
    var lines = ["first:  \(names.first ?? "")", "second: \(names.last ?? "")", ""]
    lines.append(Self.line("", "first", "second", "difference"))
    for section in TableRow.sections {
      let rows = section.rows.compactMap { row -> String? in
        guard case .path(let path) = row.number, let line = self.lines[path] else { return nil }
        return Self.line(
          "  " + row.label, line.first.map(row.format), line.second.map(row.format),
          line.difference.mean.map { row.signed($0) }, line.remark)
      }
      if !rows.isEmpty { lines.append(contentsOf: [section.title] + rows) }
    }
    lines.append("")
    lines.append(
      unpaired.map { "The replicas are no pairs: \($0). What follows is weaker for it." }
        ?? "Pairs of replicas: the same lists and gestures.")
    lines.append(
      "Said is only what 95 % intervals of the difference show that do not cover 0; where\n"
        + "nothing is said, no difference is shown.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(
    _ label: String, _ first: String?, _ second: String?, _ difference: String?, _ remark: String = ""
  ) -> String {
    func right(_ text: String?, _ width: Int) -> String {
      let text = text ?? Quantity.unknown
      return String(repeating: " ", count: max(1, width - text.count)) + text
    }
    let start = label + String(repeating: " ", count: max(0, 32 - label.count))
    let line = start + right(first, 12) + right(second, 12) + right(difference, 13)
    return remark.isEmpty ? line : line + "  " + remark
  }
}

extension ResultComparison.Line {
  /// What can be said of the second, in a word.
  fileprivate var remark: String {
    switch claim {
    case .better: "better"
    case .worse: "worse"
    case .less: "less"
    case .more: "more"
    case nil: ""
    }
  }
}

extension TableRow {
  /// A difference with its sign.
  fileprivate func signed(_ value: Double) -> String {
    value == 0 ? format(0) : (value < 0 ? "-" : "+") + format(abs(value))
  }
}
