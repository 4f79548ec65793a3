internal import Cellophane
internal import CellophaneScreens

/// What somebody knows of a run who knows its gestures beforehand: when how much of which picture is to be seen, and
/// what slots will ask for.
struct Foresight: Sendable {
  /// How much of a picture is to be seen during one stretch of the run, wherever it is on the screen. In 8 bytes: of a
  /// thousand pictures that are seen in every stretch there are 600 000.
  struct Sight: Sendable, Hashable {
    let stretch: Int32
    /// In px² · vsyncs.
    let area: Float
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
    /// In the bits of a picture's number; in one above, whether the screen is turned and the picture has another size.
    fileprivate let key: Int32
    let position: Int32

    fileprivate init(_ row: Int, picture: Int, isTurned: Bool, position: Int) {
      self.row = Int32(row)
      key = Int32(picture) | (isTurned ? Self.turned : 0)
      self.position = Int32(position)
    }

    private static let turned: Int32 = 1 << 24
    /// The number of its picture.
    var picture: Int { Int(key & ~Self.turned) }
    /// Whether the screen is turned.
    var isTurned: Bool { key & Self.turned != 0 }
  }

  /// Into how many stretches a run is divided: a tenth of a second each of a minute. More would make what follows from
  /// them a little sharper, and slower.
  static let stretches = 600
  /// The most requests that are kept, of a longer run the first: two hours and a half of a skimmer's. A judgement of
  /// them takes 68 bytes each, 9 MB, and no more however long a run is.
  static let mostRequests = 1 << 17

  /// Those that come in, in the order in which they do for the first time.
  private(set) var pictures: [Picture] = []
  /// The sum of all sights' areas.
  private(set) var area = 0.0
  /// The most area that is to be seen at once, in px².
  private(set) var mostAtOnce = 0.0
  /// How long a stretch is, in s.
  let stretch: Double
  /// What slots ask for, in that order, up to ``mostRequests``.
  private(set) var requests: [Request] = []

  /// What is to be known of a run of `duration` at `refreshRate`, on a screen that is held like this. O(frames ·
  /// visible rows).
  ///
  /// - Parameter picture: Which picture a row shows, its own or one that others show too.
  init(
    _ postures: [Posture], refreshRate: Int, duration: Duration,
    picture: (_ row: Int) -> Int = { $0 }
  ) {
    var turn = 0
    var walk = PostureWalk(postures)
    var bindings = RowBindings(count: postures[0].layout.slots)
    // By row and by picture, the places in `pictures`.
    var places = (ofRows: [Int: Int](), ofPictures: [Int: Int]())
    var seen = Seen()
    let frames = Int((duration.seconds * Double(refreshRate)).rounded(.up))
    // No frame of a stretch is later than its end.
    stretch = Double(frames) / Double(refreshRate) / Double(Self.stretches)
    for frame in 0..<frames {
      let time = Duration.seconds(frame) / refreshRate
      let offset = walk.course(at: time).offset
      let layout = walk.posture.layout
      if turn != walk.turn {
        turn = walk.turn
        bindings = RowBindings(count: layout.slots)
      }
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
        guard requests.count < Self.mostRequests else { continue }
        requests.append(
          Request(
            change.row, picture: picture(change.row), isTurned: walk.posture.isTurned, position: position))
      }
      if stretch != seen.stretch {
        note(seen)
        seen.begin(stretch)
      }
      var atOnce = 0.0
      for row in visible {
        guard let place = places.ofRows[row] else { continue }
        let area = layout.visibleArea(of: row, at: offset)
        atOnce += area
        seen.add(area, at: place)
      }
      mostAtOnce = max(mostAtOnce, atOnce)
    }
    note(seen)
  }

  /// Notes what was seen in a stretch that is over.
  private mutating func note(_ seen: Seen) {
    for place in seen.places {
      let sight = Sight(stretch: Int32(seen.stretch), area: Float(seen.areas[place]))
      pictures[place].sights.append(sight)
      area += Double(sight.area)
    }
  }

  /// The requests as a trace for caches.
  ///
  /// - Parameter cost: What the picture of a request takes in memory, in bytes; the same for all rows that show it on
  ///   a screen that is held in the same way.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when all costs together are not a number.
  func trace(cost: (Request) -> Int) throws(LoadError) -> CacheTrace {
    try CacheTrace(
      requests.map { request in
        CacheRequest(
          key: Int(request.key), cost: cost(request), row: Int(request.row), position: Int(request.position))
      })
  }
}

extension Foresight {
  /// What has been seen of each picture so far in a stretch.
  private struct Seen {
    private(set) var stretch = 0
    /// Those of which anything was seen.
    private(set) var places: [Int] = []
    /// By place, in px² · vsyncs. A sum of many frames would lose too much in a `Float`.
    private(set) var areas: [Double] = []

    mutating func begin(_ stretch: Int) {
      self.stretch = stretch
      for place in places { areas[place] = 0 }
      places.removeAll(keepingCapacity: true)
    }

    mutating func add(_ area: Double, at place: Int) {
      guard area > 0 else { return }
      while areas.count <= place { areas.append(0) }
      if areas[place] == 0 { places.append(place) }
      areas[place] += area
    }
  }
}
