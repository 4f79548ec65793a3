public import Cellophane

extension CacheTrace {
  /// What a list asks of its cache while it is scrolled: each row's picture when the row comes in, in the order in
  /// which rows do. A row is its own key. O(frames + requests).
  ///
  /// - Parameters:
  ///   - refreshRate: Frames a second; rows that come in between two frames come with the later one.
  ///   - cost: What the picture of a row takes, in bytes.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when the refresh rate is not within
  ///   ``SimulationConfiguration/Viewport/refreshRates``, or all costs together are not a number.
  public init(
    scrolling layout: ListLayout, along trajectory: ScrollTrajectory, refreshRate: Int = 60,
    cost: (_ row: Int) -> Int
  ) throws(LoadError) {
    guard SimulationConfiguration.Viewport.refreshRates.contains(refreshRate) else {
      throw LoadError(
        .invalidRequest, "the refresh rate \(refreshRate) is not within 1...240 frames a second")
    }
    var requests: [CacheRequest] = []
    var visible = 0..<0
    var scroll = ScrollReader(trajectory, from: .zero)
    let frames = Int(trajectory.duration.seconds * Double(refreshRate))
    for frame in 0...frames {
      let now = layout.visibleRows(at: scroll.course(at: .seconds(frame) / refreshRate).offset)
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
