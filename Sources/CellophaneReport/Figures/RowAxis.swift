/// The positions of the rows of a list along a vertical axis of pixels.
struct RowAxis: Sendable {
  /// The rows of the recording from top to bottom, with their top edges.
  private let rows: [(row: Int, top: Int)]
  /// The left edges of the rows with the same top edge, by that edge.
  private let columns: [Int: [Int]]

  init(_ recording: Recording) {
    var tops: [Int: Int] = [:]
    var columns: [Int: Set<Int>] = [:]
    func add(_ row: Int, at bounds: Recording.Bounds) {
      tops[row] = bounds.top
      columns[bounds.top, default: []].insert(bounds.left)
    }
    for appearance in recording.appearances { add(appearance.row, at: appearance.bounds) }
    for transfer in recording.transfers { add(transfer.row, at: transfer.bounds) }
    rows = tops.map { ($0.key, $0.value) }.sorted { ($0.top, $0.row) < ($1.top, $1.row) }
    self.columns = columns.mapValues { $0.sorted() }
  }

  /// Returns the range of the axis for the image at `bounds`. Images side by side share the height of their
  /// row.
  func share(of bounds: Recording.Bounds) -> ClosedRange<Double> {
    let lefts = columns[bounds.top] ?? []
    let height = Double(bounds.height) / Double(max(1, lefts.count))
    let top = Double(bounds.top) + Double(lefts.firstIndex(of: bounds.left) ?? 0) * height
    return top...(top + height)
  }

  /// Returns about `count` rows with round numbers, each with its top edge.
  func ticks(in reach: ClosedRange<Double>, about count: Int) -> [(top: Double, row: String)] {
    let within = rows.filter { reach.contains(Double($0.top)) }
    guard let first = within.first?.row, let last = within.last?.row, first < last else {
      return within.map { (Double($0.top), "\($0.row)") }
    }
    let round = Set(Scale(Double(first)...Double(last), to: 0, 1).ticks(about: count))
    return within.filter { round.contains(Double($0.row)) }.map { (Double($0.top), "\($0.row)") }
  }
}
