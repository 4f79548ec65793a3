/// The cases of a sweep over two parameters: the first downwards, the second to the right.
struct StudyGrid: Sendable {
  let rows, columns: [String]
  private let cases: [[String]: StudyResult.Case]

  init(_ result: StudyResult) {
    func values(_ place: Int) -> [String] {
      var seen: Set<String> = []
      return result.cases.map { $0.values[place] }.filter { seen.insert($0).inserted }
    }
    (rows, columns) = (values(0), values(1))
    cases = Dictionary(result.cases.map { ($0.values, $0) }) { first, _ in first }
  }

  /// The case with the values `row` and `column`; nil where none was played.
  subscript(row: String, column: String) -> StudyResult.Case? { cases[[row, column]] }
}
