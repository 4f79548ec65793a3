internal import Cellophane

/// The properties of a run that a ``Recorder`` needs in advance.
package struct RecordedScene: Sendable {
  /// The orientations of the screen in the order of time.
  private let orientations: [ScreenOrientation]
  /// The refresh rate, in Hz.
  let refreshRate: Int
  /// The duration of the scrolling. Later events are not part of the run.
  let duration: Duration
  /// The first row of each URL.
  private let rows: [String: Int]
  private let urls: [String]
  /// The first row of each image; empty if the number of an image is the number of its row.
  private let pictures: [Int: Int]
  /// The maximum number of requests that are kept.
  var requestLimit: Int

  /// Creates the scene of a list whose rows show `urls`. If several rows show the same image, `pictures` has
  /// the number of each row's image.
  package init(
    _ orientations: [ScreenOrientation], urls: [String], pictures: [Int] = [], refreshRate: Int,
    duration: Duration,
    requestLimit: Int = CacheCurve.requestLimit
  ) {
    self.orientations = orientations
    self.urls = urls
    self.refreshRate = refreshRate
    self.duration = duration
    self.requestLimit = requestLimit
    self.pictures = Dictionary(pictures.enumerated().map { ($1, $0) }) { first, _ in first }
    rows = Dictionary(urls.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// Returns the first row of `url`; nil if it belongs to no row.
  func row(of url: String) -> Int? { rows[url] }

  /// The layout of the list at the start.
  var layout: ListLayout { orientations[0].layout }

  /// Returns the layout of the list at `time`.
  func layout(at time: Duration) -> ListLayout { orientation(at: time).layout }

  /// The time of the first rotation of the screen, in µs; nil without a rotation. A recording covers one
  /// orientation only.
  var firstRotation: Int64? { orientations.count > 1 ? orientations[1].start.wholeNanoseconds / 1_000 : nil }

  private func orientation(at time: Duration) -> ScreenOrientation {
    orientations.last { $0.start <= time } ?? orientations[0]
  }

  /// Returns the cache key of the image of `row` at `time`: the first row with the same image. A rotated
  /// screen adds the number of rows, because the image has another size there.
  func key(of row: Int, at time: Duration) -> Int {
    let first = urls.indices.contains(row) ? rows[urls[row]] ?? row : row
    return orientation(at: time).isRotated ? first + urls.count : first
  }

  /// Returns the first row that shows image `number`; nil if no row does.
  func row(ofPicture number: Int) -> Int? { pictures.isEmpty ? number : pictures[number] }

  /// Returns the memory cost of the image of `row` at `time`, in bytes: four per pixel.
  func cost(of row: Int, at time: Duration) -> Int {
    let size = layout(at: time).pictureSize(of: row)
    return size.width * size.height * 4
  }

  /// Returns the bounds of the image of `row` at `time`, by default at the start. The image is centered in the
  /// height of its row and, in a layout with several columns, in its column.
  func bounds(of row: Int, at time: Duration = .zero) -> Recording.Bounds {
    let layout = layout(at: time)
    let extent = layout.extent(of: row)
    let size = layout.pictureSize(of: row)
    let column = layout.viewport.width / layout.columns
    let width = min(size.width, column)
    let top = extent.lowerBound + (extent.upperBound - extent.lowerBound - Double(size.height)) / 2
    return Recording.Bounds(
      left: row % layout.columns * column + margin(column - width, in: layout), top: Int(top), width: width,
      height: size.height)
  }

  /// Returns the left margin of an image in its column, in which `free` px are unused. In a layout with one
  /// column the left margin is equal to the margin above the image. In other layouts, or if the space is too
  /// narrow for that, the image is centered.
  private func margin(_ free: Int, in layout: ListLayout) -> Int {
    layout.columns > 1 ? free / 2 : min(free / 2, (layout.rowHeight - layout.picture.height) / 2)
  }

  /// Returns the time of vsync `number`, in µs.
  func time(ofVsync number: Int) -> Int64 { Int64(number) * 1_000_000 / Int64(refreshRate) }
}
