internal import Cellophane

/// What a ``Recorder`` must know of a run beforehand.
struct RecordedScene: Sendable {
  /// How the screen is held, from the start on.
  private let postures: [Posture]
  /// Frames a second.
  let refreshRate: Int
  /// How long the list is scrolled. What still ends afterwards is no part of the run.
  let duration: Duration
  /// The first row with each URL.
  private let rows: [String: Int]
  private let urls: [String]
  /// The first row with each picture; none where a picture has its row's number.
  private let pictures: [Int: Int]
  /// The most requests that are kept.
  var requestLimit: Int

  /// A list whose rows show `urls`. Where several show the same, `pictures` are the numbers of what they show.
  init(
    _ postures: [Posture], urls: [String], pictures: [Int] = [], refreshRate: Int, duration: Duration,
    requestLimit: Int = CacheCurve.requestLimit
  ) {
    self.postures = postures
    self.urls = urls
    self.refreshRate = refreshRate
    self.duration = duration
    self.requestLimit = requestLimit
    self.pictures = Dictionary(pictures.enumerated().map { ($1, $0) }) { first, _ in first }
    rows = Dictionary(urls.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The row that `url` is for; nil for one that is no row's.
  func row(of url: String) -> Int? { rows[url] }

  /// The list as it is at the start.
  var layout: ListLayout { postures[0].layout }

  /// The list as it is at `time`.
  func layout(at time: Duration) -> ListLayout { posture(at: time).layout }

  /// When the screen is turned for the first time, in µs; nil when it never is. A recording is one of a screen that is
  /// held in one way.
  var turn: Int64? { postures.count > 1 ? postures[1].start.wholeNanoseconds / 1_000 : nil }

  private func posture(at time: Duration) -> Posture { postures.last { $0.start <= time } ?? postures[0] }

  /// What caches know the picture of `row` by at `time`: the first row that shows the same, and behind all of these for
  /// a screen that is turned, where it has another size.
  func key(of row: Int, at time: Duration) -> Int {
    let first = urls.indices.contains(row) ? rows[urls[row]] ?? row : row
    return posture(at: time).isTurned ? first + urls.count : first
  }

  /// The first row that shows picture `number`; nil when none does.
  func row(ofPicture number: Int) -> Int? { pictures.isEmpty ? number : pictures[number] }

  /// What the picture of a row takes in memory at `time`, in bytes: four for a pixel.
  func cost(of row: Int, at time: Duration) -> Int {
    let size = layout(at: time).pictureSize(of: row)
    return size.width * size.height * 4
  }

  /// Where the picture of `row` belongs at `time`, by default at the start: in the middle of its row's height and, where rows lie side by side, of its
  /// column.
  func place(of row: Int, at time: Duration = .zero) -> Recording.Place {
    let layout = layout(at: time)
    let extent = layout.extent(of: row)
    let size = layout.pictureSize(of: row)
    let column = layout.viewport.width / layout.columns
    let width = min(size.width, column)
    let top = extent.lowerBound + (extent.upperBound - extent.lowerBound - Double(size.height)) / 2
    return Recording.Place(
      left: row % layout.columns * column + margin(column - width, in: layout), top: Int(top), width: width,
      height: size.height)
  }

  /// The left edge of a picture in its column, of which `free` px are left. The only picture of a line stands as far
  /// from the screen's edge as from its row's; others, and those that leave less, stand in the middle.
  private func margin(_ free: Int, in layout: ListLayout) -> Int {
    layout.columns > 1 ? free / 2 : min(free / 2, (layout.rowHeight - layout.picture.height) / 2)
  }

  /// When vsync `number` is, in µs.
  func time(ofVsync number: Int) -> Int64 { Int64(number) * 1_000_000 / Int64(refreshRate) }
}
