internal import Cellophane

/// The course of a run over time, in bins of 100 ms. The width of the bins doubles as often as necessary in a
/// long run.
package struct SeriesTally: Sendable {
  /// The sums of one bin.
  private struct Bin: Sendable {
    var offset: Double?
    /// The sum of velocity times vsyncs, and of vsyncs.
    var traveled = 0.0
    var vsyncs = 0
    var area = 0.0
    var blank: Double? = 0
    var inFlight = 0
    var bytes = 0

    mutating func join(_ next: Bin) {
      offset = offset ?? next.offset
      traveled += next.traveled
      vsyncs += next.vsyncs
      area += next.area
      blank = blank.flatMap { mine in next.blank.map { mine + $0 } }
      inFlight = max(inFlight, next.inFlight)
      bytes += next.bytes
    }
  }

  /// The maximum number of bins: ten minutes of the shortest ones, about 200 kB in a result.
  static let most = 6_000
  /// The initial width of a bin.
  static let narrowest = Duration.milliseconds(100)

  private var width = Self.narrowest
  private var bins: [Bin] = []
  /// The last known number of running transfers, for bins without an event.
  private var running = 0

  /// Creates an empty series.
  package init() {}

  /// Adds a frame that was on the screen for `vsyncs`, with `blank` px² of its area without images; nil if
  /// unknown.
  package mutating func add(_ frame: ScreenFrame, at time: Duration, for vsyncs: Int, blank: Double?) {
    bin(at: time) { bin in
      if bin.offset == nil { bin.offset = frame.offset }
      bin.traveled += frame.velocity * Double(vsyncs)
      bin.vsyncs += vsyncs
      bin.area += frame.cells.reduce(0) { $0 + $1.area } * Double(vsyncs)
      bin.blank = bin.blank.flatMap { sum in blank.map { sum + $0 * Double(vsyncs) } }
    }
  }

  /// Adds the number of running transfers, and the bytes received since the last call.
  package mutating func note(inFlight: Int, bytes: Int, at time: Duration) {
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

  /// The series.
  package var series: RunSeries {
    RunSeries(
      // Only the first replica keeps a series.
      replica: 0, binMilliseconds: width.milliseconds, offset: bins.map(\.offset),
      velocity: bins.map { $0.vsyncs > 0 ? $0.traveled / Double($0.vsyncs) : nil },
      blankRatio: bins.map { bin in bin.area > 0 ? bin.blank.map { $0 / bin.area } : nil },
      inFlight: bins.map(\.inFlight), bytes: bins.map(\.bytes))
  }
}

/// The course of a run over time: one value for each bin.
package struct RunSeries: Sendable, Hashable, Codable {
  /// The number of the replica, from 0.
  package let replica: Int
  /// The width of a bin, in ms.
  package let binMilliseconds: Double
  /// The scroll offset at the first vsync of the bin, in px; nil in a bin without a vsync.
  package let offset: [Double?]
  /// The mean velocity, in px/s, positive downwards.
  package let velocity: [Double?]
  /// The share of the visible image area without its image; nil if unknown or if no image area was visible.
  package let blankRatio: [Double?]
  /// The peak number of concurrent transfers.
  package let inFlight: [Int]
  /// Body bytes received.
  package let bytes: [Int]

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
  /// Reads the output of `encode(to:)`.
  ///
  /// - Throws: `DecodingError` if the columns differ in length, there are too many bins, or the width of a
  ///   bin is invalid.
  package init(from decoder: any Decoder) throws {
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
    // A day: the longest run has at most one such bin.
    try check((1...86_400_000).contains(binMilliseconds), .binMilliseconds, "is not a valid bin width")
    try check(offset.count <= SeriesTally.most, .offset, "has too many bins")
    let columns = [
      (velocity.count, CodingKeys.velocity), (blankRatio.count, .blankRatio), (inFlight.count, .inFlight),
      (bytes.count, .bytes),
    ]
    for (count, key) in columns { try check(count == offset.count, key, "has another length than offset_px") }
  }
}
