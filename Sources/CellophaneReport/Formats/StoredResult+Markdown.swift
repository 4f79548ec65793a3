internal import Cellophane

extension StoredResult {
  /// Returns the result as Markdown with tables, as GitHub displays it: the finding, the important numbers, and the
  /// assertions.
  package func markdown() -> String {
    let parts =
      switch self {
      case .run(let result): result.markdown
      case .study(let result): result.markdown
      }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  /// Returns a table. The first column is aligned to the left, the others to the right.
  fileprivate static func table(_ head: [String], _ rows: [[String]]) -> String {
    let rule = head.indices.map { $0 == 0 ? ":--" : "--:" }
    return ([head, rule] + rows).map { "| " + $0.map(escaped).joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }

  /// Returns the assertions and the broken invariants as a list.
  fileprivate static func list(_ assertions: [AssertionOutcome], broken: [String]) -> String {
    (assertions.map(\.line) + broken.map { "INVARIANT BROKEN: " + $0 }).map { "- " + escaped($0) }
      .joined(separator: "\n")
  }

  /// Returns `text` without markup. Names of cases and values of settings come from outside.
  fileprivate static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "|", "*", "_", "`", "<", "[", "\\": escaped += "\\" + String(character)
      case _ where character.isNewline: escaped += " "
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension SimulationResult {
  fileprivate var markdown: [String] {
    let others = LoaderUnderTest.allCases.filter { baselines[$0] != nil }
    let rows = TableRow.sections(all: false).flatMap(\.rows).filter(shows)
    return [
      incomplete.map { "INCOMPLETE: " + $0.sentence(of: "replicas") } ?? "",
      finding.map { "**\(StoredResult.escaped($0.sentence))**" } ?? "",
      StoredResult.table(
        ["", "cellophane"] + others.map(\.title),
        rows.map { row in [row.label, own(row)] + others.map { other(row, $0) } }),
      Bootstrap.caveat(for: config.replicas)
        ?? StoredResult.escaped(TableNotes.marks(reference: LoaderUnderTest.cellophane.title)),
      StoredResult.list(assertions, broken: invariants.broken),
      reproduce.map { "```sh\n\($0)\n```" } ?? "",
    ]
  }
}

extension StudyResult {
  fileprivate var markdown: [String] {
    [
      incomplete.map { "INCOMPLETE: " + $0.sentence(of: "cases") } ?? "",
      finding.map { "**\(StoredResult.escaped($0.sentence))**" } ?? "",
      StoredResult.table(
        [parameters.joined(separator: "/")] + numbers.map(\.title),
        cases.map { one in [Self.name(of: one)] + numbers.map { cell(one, $0) } }),
      ([marks].compactMap(\.self) + numbers.map { "\($0.title): \($0.meaning)." })
        .map { "- " + StoredResult.escaped($0) }.joined(separator: "\n"),
      StoredResult.list(assertions, broken: broken),
      reproduce.map { "```sh\n\($0)\n```" } ?? "",
    ]
  }
}
