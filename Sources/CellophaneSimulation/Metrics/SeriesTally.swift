internal import Cellophane

/// How a run went over time, in bins of 100 ms; in a long run, bins become twice as wide as often as needed.
struct SeriesTally: Sendable {
  /// What happened from one moment to another.
  private struct Bin: Sendable {
    var offset: Double?
    /// Velocity times vsyncs, and vsyncs.
    var travelled = 0.0
    var vsyncs = 0
    var area = 0.0
    var blank: Double? = 0
    var inFlight = 0
    var bytes = 0

    mutating func join(_ next: Bin) {
      offset = offset ?? next.offset
      travelled += next.travelled
      vsyncs += next.vsyncs
      area += next.area
      blank = blank.flatMap { mine in next.blank.map { mine + $0 } }
      inFlight = max(inFlight, next.inFlight)
      bytes += next.bytes
    }
  }

  /// The most bins: those of ten minutes; in a result, some 200 kB.
  static let most = 6_000
  /// The narrowest bin.
  static let narrowest = Duration.milliseconds(100)

  private var width = Self.narrowest
  private var bins: [Bin] = []
  /// How many transfers run by what was noted last: as many as in the bins in which nothing is noted.
  private var running = 0

  /// No time has passed yet.
  init() {}

  /// Notes a frame that was on the screen for so many `vsyncs`, with `blank` px² of its area without picture, if
  /// that is known.
  mutating func add(_ frame: ScreenFrame, at time: Duration, for vsyncs: Int, blank: Double?) {
    bin(at: time) { bin in
      if bin.offset == nil { bin.offset = frame.offset }
      bin.travelled += frame.velocity * Double(vsyncs)
      bin.vsyncs += vsyncs
      bin.area += frame.cells.reduce(0) { $0 + $1.area } * Double(vsyncs)
      bin.blank = bin.blank.flatMap { sum in blank.map { sum + $0 * Double(vsyncs) } }
    }
  }

  /// Notes how many transfers run, and how many bytes came since the last time.
  mutating func note(inFlight: Int, bytes: Int, at time: Duration) {
    bin(at: time) { bin in
      bin.inFlight = max(bin.inFlight, inFlight)
      bin.bytes += bytes
    }
    running = inFlight
  }

  private mutating func bin(at time: Duration, change: (inout Bin) -> Void) {
    var index = Int((time / width).rounded(.down))
    while index >= Self.most {
      widen()
      index = Int((time / width).rounded(.down))
    }
    while bins.count <= max(0, index) { bins.append(Bin(inFlight: running)) }
    change(&bins[max(0, index)])
  }

  private mutating func widen() {
    var wide: [Bin] = []
    for start in stride(from: 0, to: bins.count, by: 2) {
      wide.append(bins[start])
      if start + 1 < bins.count { wide[wide.count - 1].join(bins[start + 1]) }
    }
    bins = wide
    width *= 2
  }

  /// How it went.
  var series: RunSeries {
    RunSeries(
      // Of all replicas, the first keeps one.
      replica: 0, binMilliseconds: width.milliseconds, offset: bins.map(\.offset),
      velocity: bins.map { $0.vsyncs > 0 ? $0.travelled / Double($0.vsyncs) : nil },
      blankRatio: bins.map { bin in bin.area > 0 ? bin.blank.map { $0 / bin.area } : nil },
      inFlight: bins.map(\.inFlight), bytes: bins.map(\.bytes))
  }
}

/// How a run went over time: one value for each bin of time.
public struct RunSeries: Sendable, Hashable, Codable {
  /// The number of the replica, from 0.
  public let replica: Int
  /// The width of a bin, in ms.
  public let binMilliseconds: Double
  /// Where the list was at the bin's first vsync, in px; nil in a bin without one.
  public let offset: [Double?]
  /// Its mean velocity, in px/s, positive downwards.
  public let velocity: [Double?]
  /// The share of visible picture area that lacked its picture; nil where that is not known, or nothing was visible.
  public let blankRatio: [Double?]
  /// The most transfers at once.
  public let inFlight: [Int]
  /// Body bytes received.
  public let bytes: [Int]

  private enum CodingKeys: String, CodingKey {
    case replica, velocity
    case binMilliseconds = "bin_ms"
    case offset = "offset_px"
    case blankRatio = "blank_ratio"
    case inFlight = "inflight"
    case bytes = "down_bytes"
  }
}

extension RunSeries {
  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` when there is not one value of each for each bin, there are more than any run has, or a
  ///   bin has no width.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    replica = try object.located(.replica)
    binMilliseconds = try object.located(.binMilliseconds)
    offset = try object.located(.offset)
    velocity = try object.located(.velocity)
    blankRatio = try object.located(.blankRatio)
    inFlight = try object.located(.inFlight)
    bytes = try object.located(.bytes)
    func check(_ holds: Bool, _ key: CodingKeys, _ reason: String) throws {
      guard !holds else { return }
      throw DecodingError.dataCorruptedError(forKey: key, in: object, debugDescription: reason)
    }
    // A day, the longest run, has one bin at most.
    try check((1...86_400_000).contains(binMilliseconds), .binMilliseconds, "is no width of a bin")
    try check(offset.count <= SeriesTally.most, .offset, "has more bins than a run")
    let columns = [
      (velocity.count, CodingKeys.velocity), (blankRatio.count, .blankRatio), (inFlight.count, .inFlight),
      (bytes.count, .bytes),
    ]
    for (count, key) in columns { try check(count == offset.count, key, "is not as long as offset_px") }
  }
}
