package import Cellophane

extension CacheTrace {
  /// Creates the trace of a scrolled list: one request for the image of each row that becomes visible, in
  /// that order. The key is the row. O(frames + requests).
  ///
  /// - Parameters:
  ///   - refreshRate: The frames per second. A row that becomes visible between two frames belongs to the
  ///     later one.
  ///   - cost: Returns the cost of a row's image, in bytes.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the refresh rate is not in
  ///   ``ScreenRanges/refreshRates``, or if the total cost overflows.
  package init(
    scrolling layout: ListLayout, along trajectory: ScrollTrajectory, refreshRate: Int = 60,
    cost: (_ row: Int) -> Int
  ) throws(LoadError) {
    guard ScreenRanges.refreshRates.contains(refreshRate) else {
      throw LoadError(
        .invalidRequest, "the refresh rate must be from 1 to 240 frames per second, not \(refreshRate)")
    }
    var requests: [CacheRequest] = []
    var visible = 0..<0
    var scroll = ScrollReader(trajectory, from: .zero)
    let frames = Int(trajectory.duration.seconds * Double(refreshRate))
    for frame in 0...frames {
      let now = layout.visibleRows(at: scroll.state(at: .seconds(frame) / refreshRate).offset)
      let entering = now.filter { !visible.contains($0) }
      let position = (now.lowerBound + now.upperBound) / 2
      let isUpward = now.lowerBound < visible.lowerBound
      for row in isUpward ? entering.reversed() : entering {
        requests.append(CacheRequest(key: row, cost: cost(row), row: row, position: position))
      }
      visible = now
    }
    try self.init(requests)
  }
}
