internal import Cellophane

/// What somebody knows of a run who knows its gestures beforehand: when how much of which picture is to be seen, and
/// what slots will ask for.
struct Foresight: Sendable {
  /// How much of a picture is to be seen during one stretch of the run, wherever it is on the screen.
  struct Sight: Sendable, Hashable {
    let stretch: Int
    /// In px² · vsyncs.
    var area: Double
  }

  /// A picture that is to be seen.
  struct Picture: Sendable {
    let number: Int
    /// In the order of time.
    fileprivate(set) var sights: [Sight] = []
  }

  /// A row that comes to a slot, its picture, and the row in the middle of the screen then.
  struct Request: Sendable, Hashable {
    let row: Int32
    let picture: Int32
    let position: Int32
  }

  /// Into how many stretches a run is divided: a tenth of a second each of a minute. More would make what follows from
  /// them a little sharper, and slower.
  static let stretches = 600
  /// The most requests that are kept, 12 bytes each: some hours of scrolling. Of longer runs they are not known.
  static let mostRequests = 1_000_000

  /// Those that come in, in the order in which they do for the first time.
  private(set) var pictures: [Picture] = []
  /// The area of all sights.
  private(set) var area = 0.0
  /// How long a stretch is, in s.
  let stretch: Double
  /// What slots ask for, in that order; nil when it is too much.
  private(set) var requests: [Request]? = []

  /// What is to be known of a run of `duration` at `refreshRate`. O(frames · visible rows).
  ///
  /// - Parameter picture: Which picture a row shows, its own or one that others show too.
  init(
    _ layout: ListLayout, along trajectory: ScrollTrajectory, refreshRate: Int, duration: Duration,
    picture: (_ row: Int) -> Int = { $0 }
  ) {
    var bindings = SlotBindings(count: layout.slots)
    // By row and by picture, the places in `pictures`.
    var places = (ofRows: [Int: Int](), ofPictures: [Int: Int]())
    let frames = Int((duration.seconds * Double(refreshRate)).rounded(.up))
    // No frame of a stretch is later than its end.
    stretch = Double(frames) / Double(refreshRate) / Double(Self.stretches)
    for frame in 0..<frames {
      let offset = trajectory.offset(at: .seconds(frame) / refreshRate)
      let visible = layout.visibleRows(at: offset)
      let stretch = min(Self.stretches - 1, frame * Self.stretches / frames)
      let position = (visible.lowerBound + visible.upperBound) / 2
      for change in bindings.show(visible) {
        if places.ofRows[change.row] == nil {
          let number = picture(change.row)
          let place = places.ofPictures[number] ?? pictures.count
          if place == pictures.count { pictures.append(Picture(number: number)) }
          (places.ofRows[change.row], places.ofPictures[number]) = (place, place)
        }
        requests?.append(
          Request(
            row: Int32(change.row), picture: Int32(picture(change.row)), position: Int32(position)))
      }
      if requests?.count ?? 0 > Self.mostRequests { requests = nil }
      for row in visible {
        if let place = places.ofRows[row] {
          add(layout.visibleArea(of: row, at: offset), to: place, in: stretch)
        }
      }
    }
  }

  private mutating func add(_ area: Double, to place: Int, in stretch: Int) {
    guard area > 0 else { return }
    self.area += area
    if let last = pictures[place].sights.indices.last, pictures[place].sights[last].stretch == stretch {
      pictures[place].sights[last].area += area
    } else {
      pictures[place].sights.append(Sight(stretch: stretch, area: area))
    }
  }

  /// The requests as a trace for caches; nil when they are too many.
  ///
  /// - Parameter cost: What a picture takes in memory where a row shows it, in bytes; the same for all its rows.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when all costs together are not a number.
  func trace(cost: (_ picture: Int, _ row: Int) -> Int) throws(LoadError) -> CacheTrace? {
    guard let requests else { return nil }
    return try CacheTrace(
      requests.map { request in
        let (row, picture) = (Int(request.row), Int(request.picture))
        return CacheRequest(
          key: picture, cost: cost(picture, row), row: row, position: Int(request.position))
      })
  }
}
