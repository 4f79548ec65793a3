/// The cases of a sweep of two parameters: a row for each value of the first, a column for each value of the
/// second.
struct StudyGrid: Sendable {
  let rows, columns: [String]
  private let cases: [[String]: StudyResult.Case]

  init(_ result: StudyResult) {
    func values(ofParameter index: Int) -> [String] {
      var seen: Set<String> = []
      return result.cases.map { $0.values[index] }.filter { seen.insert($0).inserted }
    }
    (rows, columns) = (values(ofParameter: 0), values(ofParameter: 1))
    cases = Dictionary(result.cases.map { ($0.values, $0) }) { first, _ in first }
  }

  /// The case with the values `row` and `column`, or nil if a cancelled study did not reach it.
  subscript(row: String, column: String) -> StudyResult.Case? { cases[[row, column]] }
}
