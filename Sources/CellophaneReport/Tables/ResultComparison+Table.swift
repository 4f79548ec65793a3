extension ResultComparison {
  /// Returns the comparison as a text table with a final line break. It has at most 84 columns unless a
  /// setting is longer.
  ///
  /// - Parameter names: The names of the two results, such as their files.
  package func table(_ names: [String]) -> String {
    var lines = ["first:  \(names.first ?? "")", "second: \(names.last ?? "")", ""]
    lines.append(Self.line("", "first", "second", "difference"))
    lines.append(settings.isEmpty ? "identical settings" : "settings that differ")
    lines += settings.map { Self.line("  " + $0.path, $0.texts.first, $0.texts.second) }
    for section in TableRow.sections {
      let rows = section.rows.compactMap { row -> String? in
        guard case .path(let path) = row.number, let line = self.rows[path] else { return nil }
        if row.needsPreviews, !showsPreviews { return nil }
        let isRate = hasRates && path.isTotal
        let format = isRate ? { row.rate($0) } : row.format
        return Self.line(
          "  " + row.label, row.text(line.first, bound: line.firstBound, format),
          row.text(line.second, bound: line.secondBound, format),
          line.difference.mean.map { row.signed($0, isRate: isRate) }, line.remark)
      }
      if !rows.isEmpty { lines.append(contentsOf: [section.title] + rows) }
    }
    lines.append("")
    if hasRates {
      let lengths = seconds.map { Quantity.short($0) + " s" }.joined(separator: " and ")
      lines.append(
        "The runs last \(lengths): totals are compared per second. Shares and\n"
          + "waits cover the complete run, in which the start of the shorter one weighs more.")
    }
    lines.append(
      unpaired.map {
        "Replicas are not paired: \($0).\nThe intervals assume independent runs, and are wider."
      }
        ?? "Replicas are paired: they have the same lists and gestures.")
    let words =
      rows.values.contains { $0.claim != nil }
      ? "better, worse: the second result, where the difference is confirmed (its 95 %\n"
        + "interval excludes 0). less, more: a confirmed difference of a value that has no\n"
        + "better direction. No word: the difference may be chance."
      : "All differences may be chance: their 95 % intervals cover 0."
    lines.append(Bootstrap.caveat(for: replicas.min() ?? 1) ?? words)
    lines.append(
      "difference: the second minus the first, before rounding. pp: percentage points.\n"
        + ">: longer than this value, the longest observed wait; the difference from such a\n"
        + "wait is unknown. –: unknown.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// True if one of the results has previews.
  private var showsPreviews: Bool {
    guard let row = rows[.metric(.previewRatio)] else { return false }
    return [row.first, row.second].contains { ($0 ?? 0) > 0 }
  }

  private static func line(
    _ label: String, _ first: String?, _ second: String?, _ difference: String? = "", _ remark: String = ""
  ) -> String {
    func right(_ text: String?, _ width: Int) -> String {
      let text = text ?? Quantity.unknown
      return text.isEmpty ? "" : TextTable.right(text, width)
    }
    let line =
      TextTable.left(label, 32) + right(first, 12) + right(second, 12) + right(difference, 13)
    return remark.isEmpty ? line : line + "  " + remark
  }
}

extension ResultComparison.Row {
  /// The confirmed difference of the second result in one word; empty without one.
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
  /// Returns a value per second: bytes in their units, other numbers with three significant digits.
  fileprivate func rate(_ value: Double) -> String {
    if case .path(let path) = number, path.unit == "B" { return format(value) + "/s" }
    if case .path(let path) = number, path.unit != "1" {
      return Quantity.significant(value) + " \(path.unit)/s"
    }
    return Quantity.significant(value) + "/s"
  }

  /// Returns a difference with its sign.
  fileprivate func signed(_ value: Double, isRate: Bool) -> String {
    Quantity.signed(isRate ? rate(abs(value)) : difference(abs(value)), isNegative: value < 0)
  }
}
