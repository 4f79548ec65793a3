public import Cellophane
internal import CellophaneTesting

/// How far the model of virtual time is off: the same scenario over real sockets to an embedded origin, whose line is
/// shaped where it writes, and in virtual time; transfers are compared one by one.
public struct ModelValidation: Sendable, Hashable, Codable {
  /// How transfers of both sides belong together.
  public struct Transfers: Sendable, Hashable, Codable {
    /// Whole on both sides.
    public let matched: Int
    /// Whole in real time alone: given up, or never begun, in virtual time.
    public let realOnly: Int
    /// Whole in virtual time alone.
    public let virtualOnly: Int

    private enum CodingKeys: String, CodingKey {
      case matched
      case realOnly = "real_only"
      case virtualOnly = "virtual_only"
    }
  }

  /// The shape's name; it only grows.
  public static let schema = "cellophane.validate/1"

  /// ``schema``.
  public let schema: String
  /// What measured it.
  public let tool: SimulationTool
  /// What was played, as in virtual time.
  public let config: SimulationConfiguration
  /// How many transfers there were to compare.
  public let transfers: Transfers
  /// From the beginning of a transfer to its first byte; nil without any.
  public let firstByte: Deviation?
  /// From the beginning of a transfer to its last byte; nil without any.
  public let completion: Deviation?

  private enum CodingKeys: String, CodingKey {
    case schema, tool, config, transfers, completion
    case firstByte = "first_byte"
  }

  /// Compares two runs of `config`: transfers by what they get, and for the how manieth time.
  init(
    _ config: SimulationConfiguration, real: [TransferTimes.Transfer], virtual: [TransferTimes.Transfer]
  ) {
    struct Name: Hashable {
      let target: String
      let occurrence: Int
    }
    let whole = { (transfers: [TransferTimes.Transfer]) in transfers.filter(\.isWhole) }
    let modelled = Dictionary(
      uniqueKeysWithValues: whole(virtual).map { (Name(target: $0.target, occurrence: $0.occurrence), $0) })
    // In the order in which they began, not in that of a table.
    let pairs = whole(real).compactMap { transfer in
      modelled[Name(target: transfer.target, occurrence: transfer.occurrence)].map { (transfer, $0) }
    }
    func deviation(_ moment: (TransferTimes.Transfer) -> Duration?) -> Deviation? {
      Deviation(
        pairs.compactMap { real, virtual in
          guard let first = moment(real), let second = moment(virtual) else { return nil }
          return ((first - real.begin).milliseconds, (second - virtual.begin).milliseconds)
        })
    }
    schema = Self.schema
    tool = SimulationTool()
    self.config = config
    transfers = Transfers(
      matched: pairs.count, realOnly: whole(real).count - pairs.count,
      virtualOnly: whole(virtual).count - pairs.count)
    firstByte = deviation(\.answer)
    completion = deviation(\.end)
  }

  /// The comparison as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] { try JSONText.lines(self) }

  /// The comparison as a table for people, with a final line break.
  public func table() -> String {
    let widths = [12, 9, 12, 12, 12, 12, 12]
    var lines = [
      "\(config.network.profile.name): \(transfers.matched) transfers in both, \(transfers.realOnly) in real time alone, "
        + "\(transfers.virtualOnly) in virtual time alone",
      TextTable.line(["", "KS", "p50 real", "virtual", "p95 real", "virtual", "typical"], widths: widths),
    ]
    for (name, deviation) in [("first byte", firstByte), ("completion", completion)] {
      guard let deviation else { continue }
      let times = [
        deviation.real.p50, deviation.virtual.p50, deviation.real.p95, deviation.virtual.p95,
        deviation.typicalError,
      ]
      lines.append(
        TextTable.line(
          [name, Quantity.decimal(deviation.distance, places: 3)]
            + times.map { Quantity.decimal($0, places: 1) + " ms" }, widths: widths))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension Simulation {
  /// Plays the configuration with Cellophane's loader in real time and in virtual time, whichever it says, and compares
  /// the transfers. Takes a little more than its duration.
  ///
  /// - Throws: ``LoadError`` as ``run(onPhase:)`` does, and for pictures of the user's, of whose line there is no model.
  public func validate(
    onPhase: @Sendable (Phase) -> Void = { _ in }
  ) async throws(LoadError) -> ModelValidation {
    var (real, virtual) = (configuration, configuration)
    real.time = .real
    virtual.time = .virtual
    let replicas = [
      try Replica(0, of: real), try Replica(0, of: virtual),
    ]
    return ModelValidation(
      virtual, real: try await replicas[0].transfers(timeline: timeline, onPhase: onPhase),
      virtual: try await replicas[1].transfers(timeline: timeline, onPhase: onPhase))
  }
}
