internal import Cellophane

/// Where the rows of a list lie, in lines of a terminal: the items, of which the first of each section has a heading above
/// it, and a row behind them that tells what comes.
struct ListLines: Sendable {
  /// The length of a line in the unit of ``ListMotion``: what the physics of scrolling take for px.
  static let unit = 20.0

  /// The rows as the models know them.
  let layout: UnevenRows
  /// The first line of each row, and the end of the last.
  private let tops: [Int]
  /// Whether a heading stands in the first line of a row.
  private let hasHeading: [Bool]

  /// `sections` are those of the items, in their order; nil for items without one.
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
    // The row behind them has one line.
    hasHeading.append(false)
    tops.append(tops[tops.count - 1] + 1)
    self.tops = tops
    self.hasHeading = hasHeading
    layout = UnevenRows(heights: zip(tops.dropFirst(), tops).map { Double($0 - $1) * Self.unit })
  }

  /// How many lines there are.
  var count: Int { tops[tops.count - 1] }
  /// The line in which `row` begins, with its heading if it has one.
  func top(of row: Int) -> Int { tops[row] }
  /// True when the first line of `row` is a heading.
  func isHeaded(_ row: Int) -> Bool { hasHeading[row] }
}
