internal import Cellophane

/// The positions of a list's rows in terminal lines.
///
/// The first item of each section has a heading above it. The row after the items shows the state of the list.
struct ListLines: Sendable {
  /// The height of a line in the unit of ``ListMotion``, which the scroll physics use as px.
  static let unit = 20.0

  /// The rows for the models.
  let layout: UnevenRows
  /// The first line of each row, and the end of the last.
  private let tops: [Int]
  /// True for rows whose first line is a heading.
  private let hasHeading: [Bool]

  /// Creates the rows for items with these sections, in order; nil for items without one.
  init(sections: some Sequence<String?>, rowLines: Int) {
    var tops = [0]
    var hasHeading: [Bool] = []
    var last: String?
    for section in sections {
      let isFirst = section != nil && section != last
      last = section
      hasHeading.append(isFirst)
      tops.append(tops[tops.count - 1] + rowLines + (isFirst ? 1 : 0))
    }
    // The row after the items has one line.
    hasHeading.append(false)
    tops.append(tops[tops.count - 1] + 1)
    self.tops = tops
    self.hasHeading = hasHeading
    layout = UnevenRows(heights: zip(tops.dropFirst(), tops).map { Double($0 - $1) * Self.unit })
  }

  /// The number of lines.
  var count: Int { tops[tops.count - 1] }
  /// Returns the first line of `row`, including its heading.
  func top(of row: Int) -> Int { tops[row] }
  /// Returns true if the first line of `row` is a heading.
  func isHeaded(_ row: Int) -> Bool { hasHeading[row] }
}
