public import Cellophane
public import CellophaneTesting

/// What a ``Simulation`` plays. The defaults show the difference between the loaders: in virtual time a minute of
/// scrolling, in real time 15 s, for each.
public struct SimulationConfiguration: Sendable, Hashable {
  /// How time passes.
  public enum Time: String, Sendable, CaseIterable {
    /// As fast as it can be computed, by a model of the line and of decoding, and the same each time.
    case virtual
    /// By the clock, with sockets, files and decoding of this machine.
    case real
  }

  /// How time passes.
  public let time: Time
  /// The number of rows; with ``urls``, at most as many as there are URLs.
  public var rows: Int
  /// The height of a row, in px. 120: a row with a thumbnail and three lines of text.
  public var rowHeight = 120
  /// The size at which a row shows its picture, in px.
  public var picture = PixelSize(width: 112, height: 112)
  /// The size of the generated pictures, in px: three times what is shown, as for a dense screen.
  public var source = PixelSize(width: 320, height: 320)
  /// The size of the visible part of the list, in px: the phone that Lighthouse emulates.
  public var viewport = PixelSize(width: 412, height: 823)
  /// Who scrolls.
  public var profile = ScrollProfile.skimmer
  /// How the list moves after the finger has left it.
  public var physics = ScrollPhysics.ios
  /// Frames a second.
  public var refreshRate = 60
  /// How long the list is scrolled, for each loader.
  public var duration: Duration
  /// What every random draw depends on.
  public var seed: UInt64 = 1
  /// The line between the loaders and the embedded origin; without meaning for ``urls``.
  public var network = NetworkProfile.presets.first { $0.name == "wpt-lte" } ?? .unlimited
  /// The limit of the memory cache, in bytes. 2 MB: some 40 pictures of this size, five screens, so that
  /// going back reaches the disk cache too.
  public var memoryBytes = 2 << 20
  /// The limit of the disk cache, in bytes.
  public var diskBytes = 256 << 20
  /// How many rows beyond the visible ones are prefetched in the direction of the scroll; 0 for none.
  public var rowsAhead = 8
  /// The user's own pictures, one URL a row, instead of generated ones. They come from wherever they are,
  /// not over ``network``.
  public var urls: [String]?
  /// Lets ``urls`` name local files.
  public var allowsFiles = false

  /// The defaults: 1 000 rows and 60 s in virtual time, 500 and 15 s in real time.
  public init(time: Time = .virtual) {
    self.time = time
    rows = time == .virtual ? 1_000 : 500
    duration = time == .virtual ? .seconds(60) : .seconds(15)
  }

  /// The refresh rates that can be played: below 1 there is no scrolling, above 240 no screen.
  public static let refreshRates = 1...240
  /// The durations that can be played. Ten minutes: every frame is kept until the end, some 50 MB of them.
  public static let durations = Duration.milliseconds(100)...Duration.seconds(600)
  /// The most rows that can be prefetched ahead: some ten screens.
  public static let rowsAheadLimits = 0...200
  /// The sides that generated pictures can have: a cell of the row's code needs a pixel, and all pictures
  /// are made beforehand.
  public static let sourceSides = 16...2048

  /// The list that this describes.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the first thing that cannot be played.
  func checkedLayout() throws(LoadError) -> ListLayout {
    guard Self.refreshRates.contains(refreshRate) else {
      throw Self.outOfRange("the refresh rate \(refreshRate)", "1...240 frames a second")
    }
    guard Self.durations.contains(duration) else {
      throw Self.outOfRange("the duration \(duration)", "0.1...600 seconds")
    }
    guard Self.rowsAheadLimits.contains(rowsAhead) else {
      throw Self.outOfRange("the number of rows ahead, \(rowsAhead),", "0...200")
    }
    guard memoryBytes >= 0, diskBytes >= 0 else {
      throw LoadError(.invalidRequest, "a cache cannot be limited to less than 0 bytes")
    }
    if let urls, urls.isEmpty { throw LoadError(.invalidRequest, "the list of URLs is empty") }
    if urls != nil, time == .virtual {
      throw LoadError(
        .invalidRequest, "pictures of your own can only be loaded in real time; take --time real")
    }
    if case .constant(let velocity) = profile, !ScrollProfile.velocities.contains(velocity) {
      throw Self.outOfRange("the velocity \(velocity)", "1...100000 px/s")
    }
    let layout = try ListLayout(
      rows: min(rows, urls?.count ?? rows), rowHeight: rowHeight, picture: picture, viewport: viewport)
    if urls == nil { try checkGeneratedPictures() }
    return layout
  }

  private func checkGeneratedPictures() throws(LoadError) {
    guard Self.sourceSides.contains(source.width), Self.sourceSides.contains(source.height) else {
      throw Self.outOfRange("the pictures' size \(source.width)x\(source.height)", "16...2048 px a side")
    }
    let fitted = source.fitted(into: picture)
    guard CodeArea(width: fitted.width, height: fitted.height).isReadable else {
      throw LoadError(
        .invalidRequest,
        "generated pictures of \(source.width)x\(source.height), shown at \(picture.width)x\(picture.height),"
          + " are too small to read their row numbers; show them with at least 16 px a side")
    }
  }

  private static func outOfRange(_ what: String, _ range: String) -> LoadError {
    LoadError(.invalidRequest, "\(what) is not within \(range)")
  }
}
