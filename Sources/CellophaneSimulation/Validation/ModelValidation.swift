package import Cellophane
internal import CellophaneTesting

/// The error of the model of virtual time. The same scenario runs over real sockets to an embedded origin,
/// which shapes the link when it writes, and in virtual time. The transfers of both are compared one by one.
package struct ModelValidation: Sendable, Hashable, Codable {
  /// The numbers of transfers on both sides.
  package struct Transfers: Sendable, Hashable, Codable {
    /// Transfers that completed on both sides.
    package let matched: Int
    /// Transfers that completed in real time only. In virtual time they were cancelled or not started.
    package let realOnly: Int
    /// Transfers that completed in virtual time only.
    package let virtualOnly: Int

    private enum CodingKeys: String, CodingKey {
      case matched
      case realOnly = "real_only"
      case virtualOnly = "virtual_only"
    }
  }

  /// The name of the schema. New versions only add fields.
  package static let schema = "cellophane.validate/1"

  /// The name of the schema.
  package let schema: String
  /// The tool that measured it.
  package let tool: SimulationTool
  /// The configuration, in virtual time.
  package let config: SimulationConfiguration
  /// The numbers of transfers.
  package let transfers: Transfers
  /// The time from the start of a transfer to its first byte; nil without transfers.
  package let firstByte: Deviation?
  /// The time from the start of a transfer to its last byte; nil without transfers.
  package let completion: Deviation?

  private enum CodingKeys: String, CodingKey {
    case schema, tool, config, transfers, completion
    case firstByte = "first_byte"
  }

  /// Compares two runs of `config`. Transfers are matched by their target and its occurrence.
  init(
    _ config: SimulationConfiguration, real: [TransferTimes.Transfer], virtual: [TransferTimes.Transfer]
  ) {
    struct TransferID: Hashable {
      let target: String
      let occurrence: Int
    }
    let completed = { (transfers: [TransferTimes.Transfer]) in transfers.filter(\.isComplete) }
    let modeled = Dictionary(
      uniqueKeysWithValues: completed(virtual).map {
        (TransferID(target: $0.target, occurrence: $0.occurrence), $0)
      })
    // In the order of their starts, because the order of a dictionary varies.
    let pairs = completed(real).compactMap { transfer in
      modeled[TransferID(target: transfer.target, occurrence: transfer.occurrence)].map { (transfer, $0) }
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
      matched: pairs.count, realOnly: completed(real).count - pairs.count,
      virtualOnly: completed(virtual).count - pairs.count)
    firstByte = deviation(\.answer)
    completion = deviation(\.end)
  }

  /// The validation as JSON with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }
}

extension Simulation {
  /// Plays the configuration with Cellophane in real time and in virtual time, and compares the transfers.
  /// Takes slightly more than the configured duration.
  ///
  /// - Throws: ``LoadError`` as `run(_:onPhase:)` does, and for the user's own images, because their
  ///   network is not modeled.
  package func validate(
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
