package import Cellophane

extension ModelValidation {
  /// Compares two runs of `config`. Transfers are matched by their target and its occurrence.
  init(
    _ config: SimulationConfiguration, real: [TransferTimes.Transfer], virtual: [TransferTimes.Transfer],
    blankRatio: BlankRatio? = nil, lateFrames: Int? = nil
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
    self.init(
      config, blankRatio: blankRatio, lateFrames: lateFrames,
      transfers: Transfers(
        matched: pairs.count, realOnly: completed(real).count - pairs.count,
        virtualOnly: completed(virtual).count - pairs.count),
      firstByte: deviation(\.answer), completion: deviation(\.end))
  }
}

extension Simulation {
  /// Plays the configuration with Cellophane in real time and in virtual time, and compares the transfers and the
  /// blank shares.
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
    let measured = try await replicas[0].transfers(timeline: timeline, onPhase: onPhase)
    let modeled = try await replicas[1].transfers(timeline: timeline, onPhase: onPhase)
    return ModelValidation(
      virtual, real: measured.transfers, virtual: modeled.transfers,
      blankRatio: ModelValidation.BlankRatio(
        real: measured.run[.blankRatio], virtual: modeled.run[.blankRatio]),
      lateFrames: measured.run[.lateFrames].map { Int($0) })
  }
}
