extension ResultComparison {
  /// Returns the comparison as a text table with a final line break. It has at most 84 columns unless a
  /// setting or the number of replicas is longer.
  ///
  /// - Parameters:
  ///   - names: The names of the two results, such as their files.
  ///   - all: Whether the table has all rows, or the twelve that matter most.
  ///   - usesColor: Whether marked numbers are green and red, for a terminal.
  package func table(_ names: [String], all: Bool = false, usesColor: Bool = false) -> String {
    var lines = zip(["first", "second"], incomplete).compactMap { name, incomplete in
      incomplete.map {
        "INCOMPLETE: the \(name) result, \($0.sentence(of: "replicas").replacing("; ", with: ";\n"))"
      }
    }
    lines += ["first:  \(names.first ?? "")", "second: \(names.last ?? "")", ""]
    let finding = finding()
    if let finding { lines += TextTable.wrapped(finding.sentence) + [""] }
    lines.append(Self.line("", "first", "second", "difference"))
    lines.append(settings.isEmpty ? "identical settings" : "settings that differ")
    lines += settings.map { Self.line("  " + $0.path, $0.texts.first, $0.texts.second) }
    for section in TableRow.sections(all: all) {
      let rows = section.rows.compactMap { text(of: $0, usesColor: usesColor) }
      if !rows.isEmpty { lines.append(contentsOf: [section.title] + rows) }
    }
    lines += [""] + notes
    if let advice = finding?.advice { lines += TextTable.wrapped("Next: " + advice, width: 84) }
    lines += (all ? [] : ["--all prints all rows."]) + assertions.map(\.line)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a row as a line; nil if the table omits it.
  private func text(of row: TableRow, usesColor: Bool) -> String? {
    guard let line = line(of: row) else { return nil }
    return Self.line(
      "  " + row.label, row.text(line.first, isNever: line.isFirstNever, format(of: row)), second(row, line),
      line.difference.mean.map { row.signed($0, isRate: isRate(row)) }, remark(of: line),
      color: usesColor ? line.claim : nil)
  }

  /// Returns the number of the second result in `row`, with a mark if it is confirmed to be better or worse than that
  /// of the first.
  func second(_ row: TableRow, _ line: Row) -> String {
    (line.claim?.mark ?? "") + row.text(line.second, isNever: line.isSecondNever, format(of: row))
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
      ? TableNotes.marks(reference: "the first result")
        + "\nThe probability of any false mark is 5 %; marked shares"
        + " differ by 0.05 points\nor more."
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
    guard case .path(let path) = row.number, showsPreviews || !row.needsPreviews,
      showsForesight || !row.needsForesight
    else { return nil }
    return rows[path]
  }

  /// The pairs that the difference covers if they are not all; empty otherwise.
  func remark(of line: Row) -> String { line.covered.map { "\($0)/\(replicas[0])" } ?? "" }

  /// True if one of the results has previews.
  private var showsPreviews: Bool {
    guard let row = rows[.metric(.previewRatio)] else { return false }
    return [row.first, row.second].contains { ($0 ?? 0) > 0 }
  }

  /// True if one of the results has planners with limited foresight.
  private var showsForesight: Bool {
    rows[.metric(.foresight0s)].map { $0.first != nil || $0.second != nil } ?? false
  }

  private static func line(
    _ label: String, _ first: String?, _ second: String?, _ difference: String? = "", _ remark: String = "",
    color: DifferenceFamily.Claim? = nil
  ) -> String {
    func right(_ text: String?, _ width: Int) -> String {
      let text = text ?? Quantity.unknown
      return text.isEmpty ? "" : TextTable.right(text, width)
    }
    let second = right(second, 12)
    let line =
      TextTable.left(label, 32) + right(first, 12) + (color?.colored(second) ?? second)
      + right(difference, 13)
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
