#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a simulation found, in the shape that ``json()`` writes.
public struct SimulationResult: Sendable, Hashable, Codable {
  /// The shape's name; it only grows.
  public static let schema = "cellophane.simulate/1"

  /// What must hold in every run of the loader.
  public struct Invariants: Sendable, Hashable, Codable {
    /// How often a slot came to show the picture of another row.
    public let misplaced: Int
    /// How often a transfer ran while another of the same URL was running.
    public let duplicateInFlight: Int
    /// How many slots wait for a picture that will never come. Known in virtual time only.
    public let deadlocks: Int
    /// Which slots these are, and for what they wait.
    public let waiting: [String]
    /// How many loads, transfers and decodings there still are when nobody wants anything any more and everything
    /// had its time.
    public let leftOver: Int

    /// True when nothing broke.
    public var hold: Bool { broken.isEmpty }

    /// What broke, each in a few words.
    var broken: [String] {
      var broken: [String] = []
      if misplaced > 0 { broken.append("\(misplaced) wrong pictures shown") }
      if duplicateInFlight > 0 { broken.append("\(duplicateInFlight) duplicate transfers in flight") }
      if deadlocks > 0 { broken.append(contentsOf: waiting) }
      if leftOver > 0 { broken.append("\(leftOver) loads, transfers or decodings left over") }
      return broken
    }

    private enum CodingKeys: String, CodingKey {
      case misplaced, deadlocks, waiting
      case duplicateInFlight = "duplicate_inflight"
      case leftOver = "left_over"
    }
  }

  /// The loaders that are measured beside this one.
  public struct Baselines: Sendable, Hashable, Codable {
    /// What one writes on the first day: nothing kept, shared, cancelled or checked.
    public let naive: RunMetrics
  }

  /// ``schema``.
  public let schema: String
  /// What measured it.
  public let tool: SimulationTool
  /// The command that plays the same again; nil for pictures of the user's, of which only he knows the list's name.
  public var reproduce: String?
  /// How time passed: `virtual`, or `real` by the clock.
  public let time: String
  /// The hash of everything that happened in both runs, when and in which order: the same on every run of the same
  /// configuration in virtual time. Nil in real time.
  public let fingerprint: String?
  /// What was played, completed by what follows from it.
  public let config: SimulationConfiguration
  /// What this loader did.
  public let metrics: MeasuredMetrics
  /// The same for each phase that there was.
  public let phases: [PhaseMetrics]
  /// The same over time.
  public let series: RunSeries?
  /// How long was waited, counted by length.
  public let histograms: Histograms
  /// What others did, on the same gestures and pictures: the same metrics in the same units.
  public let baselines: Baselines
  /// What must hold in every run.
  public let invariants: Invariants
  /// How long it took, in s.
  public let wallSeconds: Double

  private enum CodingKeys: String, CodingKey {
    case schema, tool, reproduce, time, fingerprint, config, metrics, phases, series, histograms, baselines
    case invariants
    case wallSeconds = "wall_s"
  }

  /// What `cellophane` and `naive` come to. `expected` is the picture that belongs to a row, if that is known.
  init(
    _ configuration: SimulationConfiguration, config: SimulationConfiguration, cellophane: RunObservation,
    naive: RunObservation, wall: Duration, expected: (Int) -> PictureIdentity?
  ) {
    let measurement = RunMeasurement(cellophane, expected: expected)
    let run = measurement.whole
    var fingerprint: String?
    if let first = naive.fingerprint, let second = cellophane.fingerprint {
      let hash = String(SeededDraw.mixed(SeededDraw.mixed(first) ^ second), radix: 16)
      fingerprint = "splitmix64:" + String(repeating: "0", count: 16 - hash.count) + hash
    }
    let invariants = Invariants(
      misplaced: Int(run[.misplacedEvents] ?? 0), duplicateInFlight: Int(run[.duplicateInFlight] ?? 0),
      deadlocks: cellophane.waitingRows.count,
      waiting: cellophane.waitingRows.map {
        "slot \($0.slot) waits for ever for the picture of row \($0.row)"
      },
      leftOver: cellophane.leftOver)
    self.init(
      config: config, time: configuration.time, fingerprint: fingerprint, cellophane: measurement,
      naive: RunMeasurement(naive, expected: expected), invariants: invariants, wall: wall)
    reproduce = configuration.command
  }

  init(
    config: SimulationConfiguration, time: SimulationConfiguration.Time, fingerprint: String?,
    cellophane: RunMeasurement, naive: RunMeasurement, invariants: Invariants, wall: Duration
  ) {
    schema = Self.schema
    tool = SimulationTool()
    self.time = time.rawValue
    self.fingerprint = fingerprint
    self.config = config
    metrics = MeasuredMetrics(RunMetrics(cellophane.whole))
    phases = cellophane.phases.map { PhaseMetrics($0) }
    series = cellophane.series
    histograms = Histograms(cellophane.whole)
    baselines = Baselines(naive: RunMetrics(naive.whole))
    self.invariants = invariants
    wallSeconds = wall.seconds
  }

  /// What to make of a run.
  public enum Verdict: Sendable, Hashable {
    /// Pictures were shown, or nothing stood in their way.
    case played
    /// Loads failed, and none showed a picture.
    case failed
    /// An invariant broke.
    case invariantBroken
  }

  /// What to make of it, the worst first.
  public var verdict: Verdict {
    if !invariants.hold { return .invariantBroken }
    let run = metrics.run
    let hasShown = run.timeToImage.longestOver != nil || run[.unverifiedRows] ?? 0 > 0
    return run[.failedLoads] ?? 0 > 0 && !hasShown ? .failed : .played
  }

  /// The result as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// Reads what ``json()`` writes.
  public init(json: [UInt8]) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(json))
  }
}
