extension ResultComparison {
  /// The comparison as a table for people, at most 80 columns wide unless a setting is longer, with a final line break.
  ///
  /// - Parameter names: What the two are called, such as their files.
  public func table(_ names: [String]) -> String {
    var lines = ["first:  \(names.first ?? "")", "second: \(names.last ?? "")", ""]
    lines.append(Self.line("", "first", "second", "difference"))
    lines.append(settings.isEmpty ? "the same settings" : "settings that differ")
    lines += settings.map { Self.line("  " + $0.path, $0.texts.first, $0.texts.second) }
    for section in TableRow.sections {
      let rows = section.rows.compactMap { row -> String? in
        guard case .path(let path) = row.number, let line = self.lines[path] else { return nil }
        let isRate = hasRates && path.isTotal
        let format = isRate ? { row.rate($0) } : row.format
        return Self.line(
          "  " + row.label, line.first.map(format), line.second.map(format),
          line.difference.mean.map { row.signed($0, isRate: isRate) }, line.remark)
      }
      if !rows.isEmpty { lines.append(contentsOf: [section.title] + rows) }
    }
    lines.append("")
    if hasRates {
      let lengths = seconds.map { Quantity.short($0) + " s" }.joined(separator: " and ")
      lines.append(
        "The runs last \(lengths): what adds up is compared by the second. Shares and\n"
          + "waits are of all of a run, of which the start is more in the shorter one.")
    }
    lines.append(
      unpaired.map {
        "No pairs of replicas: \($0).\nIntervals are of two independent runs, and wider for it."
      }
        ?? "Pairs of replicas: the same lists and gestures.")
    lines.append(
      Bootstrap.reservation(for: replicas.min() ?? 1)
        ?? "Said is only what 95 % intervals of the difference show that do not cover 0; where\n"
        + "nothing is said, no difference is shown. pp: percentage points.")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(
    _ label: String, _ first: String?, _ second: String?, _ difference: String? = "", _ remark: String = ""
  ) -> String {
    func right(_ text: String?, _ width: Int) -> String {
      let text = text ?? Quantity.unknown
      return text.isEmpty ? "" : String(repeating: " ", count: max(1, width - text.count)) + text
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
  /// So much a second: bytes in their units, anything else with three digits that count.
  fileprivate func rate(_ value: Double) -> String {
    if case .path(let path) = number, path.unit == "B" { return format(value) + "/s" }
    if case .path(let path) = number, path.unit != "1" {
      return Quantity.significant(value) + " \(path.unit)/s"
    }
    return Quantity.significant(value) + "/s"
  }

  /// A difference with its sign.
  fileprivate func signed(_ value: Double, isRate: Bool) -> String {
    let size = isRate ? rate(abs(value)) : difference(abs(value))
    return value == 0 ? size : (value < 0 ? "-" : "+") + size
  }
}
