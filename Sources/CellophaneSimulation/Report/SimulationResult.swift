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

    /// True when nothing broke.
    public var hold: Bool { misplaced == 0 && duplicateInFlight == 0 }

    private enum CodingKeys: String, CodingKey {
      case misplaced
      case duplicateInFlight = "duplicate_inflight"
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
  /// The command that plays the same again; for the tool to fill in.
  public var reproduce: String?
  /// `real`: by the wall clock.
  public let time: String
  /// What was played.
  public let config: PlayedConfiguration
  /// What this loader did.
  public let metrics: MeasuredMetrics
  /// What others did, on the same gestures and pictures: the same metrics in the same units.
  public let baselines: Baselines
  /// What must hold in every run.
  public let invariants: Invariants
  /// How long it took, in s.
  public let wallSeconds: Double

  private enum CodingKeys: String, CodingKey {
    case schema, tool, reproduce, time, config, metrics, baselines, invariants
    case wallSeconds = "wall_s"
  }

  init(config: PlayedConfiguration, cellophane: RunMetrics, naive: RunMetrics, wall: Duration) {
    schema = Self.schema
    tool = SimulationTool()
    time = "real"
    self.config = config
    metrics = MeasuredMetrics(cellophane)
    baselines = Baselines(naive: naive)
    invariants = Invariants(
      misplaced: Int(cellophane[.misplacedEvents] ?? 0),
      duplicateInFlight: Int(cellophane[.duplicateInFlight] ?? 0))
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
