extension ResultComparison {
  /// Returns the comparison as a text table with a final line break. It has at most 84 columns unless a
  /// setting or the number of replicas is longer.
  ///
  /// - Parameter names: The names of the two results, such as their files.
  package func table(_ names: [String]) -> String {
    var lines = zip(["first", "second"], incomplete).compactMap { name, incomplete in
      incomplete.map {
        "INCOMPLETE: the \(name) result, \($0.sentence(of: "replicas").replacing("; ", with: ";\n"))"
      }
    }
    lines += ["first:  \(names.first ?? "")", "second: \(names.last ?? "")", ""]
    lines.append(Self.line("", "first", "second", "difference"))
    lines.append(settings.isEmpty ? "identical settings" : "settings that differ")
    lines += settings.map { Self.line("  " + $0.path, $0.texts.first, $0.texts.second) }
    for section in TableRow.sections {
      let rows = section.rows.compactMap { row -> String? in
        guard let line = self.line(of: row) else { return nil }
        let format = format(of: row)
        return Self.line(
          "  " + row.label, row.text(line.first, isNever: line.isFirstNever, format),
          row.text(line.second, isNever: line.isSecondNever, format),
          line.difference.mean.map { row.signed($0, isRate: isRate(row)) },
          remark(of: line))
      }
      if !rows.isEmpty { lines.append(contentsOf: [section.title] + rows) }
    }
    lines += [""] + notes + assertions.map(\.line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Explanations of the pairs, the marks and the units, in lines of at most 84 columns. A page joins the lines.
  var notes: [String] {
    var lines: [String] = []
    if hasRates {
      let lengths = seconds.map { Quantity.short($0) + " s" }.joined(separator: " and ")
      lines.append(
        "The runs last \(lengths): totals are compared per second. Shares and\n"
          + "waits cover the complete run, in which the start of the shorter one weighs more.")
    }
    let hasIntervals = rows.values.contains { $0.difference.interval != nil }
    lines.append(
      unpaired.map {
        "Replicas are not paired: \($0)."
          + (hasIntervals ? "\nThe intervals assume independent runs, and are wider." : "")
      }
        ?? "Replicas are paired: they have the same lists and gestures.")
    let words =
      rows.values.contains { $0.claim != nil }
      ? "better, worse: the second result, where the difference is confirmed. less, more: a\n"
        + "confirmed difference of a value that has no better direction. The probability of\n"
        + "any false word is 5 %, and shares differ by 0.05 points or more. No word: the\n"
        + "difference may be chance."
      : "All differences may be chance, or are below 0.05 points."
    lines.append(Bootstrap.caveat(for: replicas.min() ?? 1) ?? words)
    lines.append(
      "difference: the second minus the first, before rounding. pp: percentage points.\n"
        + "\(TableNotes.never)\n\(TableNotes.missing).")
    if TableRow.sections.flatMap(\.rows).contains(where: { line(of: $0)?.covered != nil }) {
      lines.append(
        "n/\(replicas[0]): the difference is the mean over the n of \(replicas[0]) pairs in which both results\n"
          + "have a value; each column is the mean over all values of its result.")
    }
    return lines
  }

  /// True if the numbers of `row` are totals per second.
  func isRate(_ row: TableRow) -> Bool {
    guard case .path(let path) = row.number else { return false }
    return hasRates && path.isTotal
  }

  /// Returns the format of the numbers of `row`.
  func format(of row: TableRow) -> @Sendable (Double) -> String {
    guard isRate(row) else { return row.format }
    return { row.rate($0) }
  }

  /// Returns the numbers of `row`; nil if the table omits it.
  func line(of row: TableRow) -> Row? {
    guard case .path(let path) = row.number, showsPreviews || !row.needsPreviews else { return nil }
    return rows[path]
  }

  /// The confirmed difference of the second result in one word, and the pairs that the difference covers if they are
  /// not all; empty without both.
  func remark(of line: Row) -> String {
    let word: String? =
      switch line.claim {
      case .better: "better"
      case .worse: "worse"
      case .less: "less"
      case .more: "more"
      case nil: nil
      }
    return [word, line.covered.map { "\($0)/\(replicas[0])" }].compactMap(\.self).joined(separator: " ")
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
  /// The number of pairs behind a known difference, if they are not all.
  fileprivate var covered: Int? { difference.mean == nil ? nil : pairs }
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
  func signed(_ value: Double, isRate: Bool) -> String {
    Quantity.signed(isRate ? rate(abs(value)) : difference(abs(value)), isNegative: value < 0)
  }
}
