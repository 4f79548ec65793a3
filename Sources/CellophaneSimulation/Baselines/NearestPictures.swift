/// The images nearest to the screen, over the time of a run.
struct NearestPictures {
  /// The number of rows that are considered behind the screen, and twice as many ahead: about nine screens of the
  /// smallest rows of the suite.
  private static let behind = 50

  /// The rows on the screen at the end of each slice.
  private let visibleRows: [Range<Int>]
  /// The images of the first rows, as many as are considered.
  private let pictures: [Int]

  /// Creates the images near the rows of `schedule` in a list of `rows` rows. `picture` returns the index of the image of
  /// a row.
  init(_ schedule: ClairvoyantSchedule, rows: Int, picture: (_ row: Int) -> Int) {
    visibleRows = schedule.visibleRows
    let last = visibleRows.reduce(0) { max($0, $1.upperBound) }
    pictures = (0..<min(rows, last + 2 * Self.behind)).map(picture)
  }

  /// Returns the images outside of the screen of `slice`: two rows in the direction of the last movement for each row on
  /// the other side, and the nearest first.
  func callAsFunction(_ slice: Int) -> [Int] {
    let rows = visibleRows[slice]
    let isDown = movesDown(at: slice)
    var order: [Int] = []
    for distance in 0..<Self.behind {
      let (after, before) = (rows.upperBound + distance, rows.lowerBound - 1 - distance)
      let nearest =
        isDown
        ? [after + distance, before, after + distance + 1]
        : [before - distance, after, before - distance - 1]
      for row in nearest where pictures.indices.contains(row) { order.append(pictures[row]) }
    }
    return order
  }

  /// Returns true if the last movement up to `slice` was towards the end of the list, or there was none.
  private func movesDown(at slice: Int) -> Bool {
    for earlier in (0..<slice).reversed() where visibleRows[earlier] != visibleRows[slice] {
      let (first, second) = (visibleRows[earlier], visibleRows[slice])
      return first.lowerBound + first.upperBound <= second.lowerBound + second.upperBound
    }
    return true
  }
}
