internal import Cellophane
internal import CellophaneScreens

/// Knowledge of a run whose gestures are known in advance: the visible area of each image over time, and the
/// requests of the slots.
struct ClairvoyantSchedule: Sendable {
  /// The visible area of an image during one time slice of the run, wherever it is on the screen. It has 8
  /// bytes, because a thousand images that are visible in every slice have 1.8 million such values.
  struct VisibleArea: Sendable, Hashable {
    let slice: Int32
    /// In px² · vsyncs.
    let area: Float
  }

  /// An image that becomes visible.
  struct Picture: Sendable {
    let number: Int
    /// In the order of time.
    fileprivate(set) var visibleAreas: [VisibleArea] = []
  }

  /// A row that is bound to a slot, its image, and the row in the middle of the screen at that time.
  struct Request: Sendable, Hashable {
    let row: Int32
    /// The number of the image, and one bit above it for a rotated screen, where the image has another size.
    fileprivate let key: Int32
    let position: Int32

    fileprivate init(_ row: Int, picture: Int, isRotated: Bool, position: Int) {
      self.row = Int32(row)
      key = Int32(picture) | (isRotated ? Self.rotated : 0)
      self.position = Int32(position)
    }

    private static let rotated: Int32 = 1 << 24
    /// The number of the image.
    var picture: Int { Int(key & ~Self.rotated) }
    /// True if the screen is rotated.
    var isRotated: Bool { key & Self.rotated != 0 }
  }

  /// The number of time slices of a run. In a run of one minute at 60 Hz, a slice has two frames. With a slice for
  /// each frame the bound of the suite's cases is at most 0.03 points tighter, and takes twice as long.
  static let sliceCount = 1_800
  /// The maximum number of requests that are kept, from the start of the run: two and a half hours of
  /// skimming. Computing the bounds takes 68 bytes for each, 9 MB in total, for a run of any length.
  static let requestLimit = 1 << 17

  /// The visible images, in the order of their first appearance.
  private(set) var pictures: [Picture] = []
  /// The sum of all visible areas, in px² · vsyncs.
  private(set) var area = 0.0
  /// The peak visible image area of a frame, in px².
  private(set) var peakVisibleArea = 0.0
  /// The end of the last vsync of each slice, in s. In real time, a frame may show what arrives during its vsync.
  let sliceEnds: [Double]
  /// The rows on the screen in the last frame of each slice that has one.
  private(set) var visibleRows: [Range<Int>]
  /// The first ``requestLimit`` requests of the slots, in the order of time.
  private(set) var requests: [Request] = []

  /// Computes the schedule of a run of `duration` at `refreshRate` with these orientations of the screen.
  /// O(frames · visible rows).
  ///
  /// - Parameters:
  ///   - slices: The number of slices.
  ///   - picture: Returns the number of the image of a row. Several rows can show the same image.
  init(
    _ orientations: [ScreenOrientation], refreshRate: Int, duration: Duration, slices: Int = Self.sliceCount,
    picture: (_ row: Int) -> Int = { $0 }
  ) {
    var orientationIndex = 0
    var walk = OrientationWalk(orientations)
    var bindings = RowBindings(count: orientations[0].layout.slots)
    // The indices in `pictures` by row and by image number.
    var indices = (ofRows: [Int: Int](), ofPictures: [Int: Int]())
    var seen = AreaSums()
    let frames = Int((duration.seconds * Double(refreshRate)).rounded(.up))
    sliceEnds = (0..<slices).map { slice in
      Double(((slice + 1) * frames - 1) / slices + 1) / Double(refreshRate)
    }
    visibleRows = Array(repeating: 0..<0, count: slices)
    for frame in 0..<frames {
      let time = Duration.seconds(frame) / refreshRate
      let offset = walk.state(at: time).offset
      let layout = walk.orientation.layout
      if orientationIndex != walk.index {
        orientationIndex = walk.index
        bindings = RowBindings(count: layout.slots)
      }
      let visible = layout.visibleRows(at: offset)
      let slice = frame * slices / frames
      visibleRows[slice] = visible
      let position = (visible.lowerBound + visible.upperBound) / 2
      for change in bindings.show(visible) {
        if indices.ofRows[change.row] == nil {
          let number = picture(change.row)
          let index = indices.ofPictures[number] ?? pictures.count
          if index == pictures.count { pictures.append(Picture(number: number)) }
          (indices.ofRows[change.row], indices.ofPictures[number]) = (index, index)
        }
        guard requests.count < Self.requestLimit else { continue }
        requests.append(
          Request(
            change.row, picture: picture(change.row), isRotated: walk.orientation.isRotated,
            position: position))
      }
      if slice != seen.slice {
        note(seen)
        seen.begin(slice)
      }
      var frameArea = 0.0
      for row in visible {
        guard let index = indices.ofRows[row] else { continue }
        let area = layout.visibleArea(of: row, at: offset)
        frameArea += area
        seen.add(area, at: index)
      }
      peakVisibleArea = max(peakVisibleArea, frameArea)
    }
    note(seen)
  }

  /// Adds the visible areas of a finished slice.
  private mutating func note(_ seen: AreaSums) {
    for index in seen.indices {
      let visible = VisibleArea(slice: Int32(seen.slice), area: Float(seen.areas[index]))
      pictures[index].visibleAreas.append(visible)
      area += Double(visible.area)
    }
  }

  /// Returns the requests as a trace for caches.
  ///
  /// - Parameter cost: Returns the memory cost of the image of a request, in bytes. It must be equal for all
  ///   rows that show the image in the same orientation.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the sum of all costs overflows.
  func trace(cost: (Request) -> Int) throws(LoadError) -> CacheTrace {
    try CacheTrace(
      requests.map { request in
        CacheRequest(
          key: Int(request.key), cost: cost(request), row: Int(request.row), position: Int(request.position))
      })
  }
}

extension ClairvoyantSchedule {
  /// The visible areas of the images in the current slice.
  private struct AreaSums {
    private(set) var slice = 0
    /// The indices of the images with a visible area.
    private(set) var indices: [Int] = []
    /// The areas by index, in px² · vsyncs. A `Float` would lose too much precision over many frames.
    private(set) var areas: [Double] = []

    mutating func begin(_ slice: Int) {
      self.slice = slice
      for index in indices { areas[index] = 0 }
      indices.removeAll(keepingCapacity: true)
    }

    mutating func add(_ area: Double, at index: Int) {
      guard area > 0 else { return }
      while areas.count <= index { areas.append(0) }
      if areas[index] == 0 { indices.append(index) }
      areas[index] += area
    }
  }
}
