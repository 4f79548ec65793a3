internal import Cellophane
internal import CellophaneTesting

extension Replica {
  /// Adds what follows from knowing the gestures beforehand: the oracle, and how well a memory cache could do. For
  /// every list of generated pictures, whatever their sizes and however often they come; of the user's own pictures
  /// the sizes are not known, nor what their line can bring.
  ///
  /// - Parameter missed: In how many vsyncs the screen did not show what it was to show, because its frames came late.
  /// - Throws: ``LoadError/Kind/invalidRequest`` when all pictures together take more than 2⁶³ bytes of memory.
  func judge(
    _ outcome: inout ReplicaOutcome, _ pictures: ModelledPictures, withOracle: Bool, missed: Int = 0
  ) throws(LoadError) {
    let foresight = foresees(configuration.duration)
    if withOracle { outcome.runs[.oracle] = oracle(foresight, pictures, missed: missed) }

    let layouts = (upright: postures[0].layout, turned: postures.first(where: \.isTurned)?.layout)
    let trace = try foresight.trace { request in
      let layout = request.isTurned ? layouts.turned ?? layouts.upright : layouts.upright
      let shown = contents.imageSize(of: request.picture).fitted(
        into: layout.pictureSize(of: Int(request.row)))
      return 4 * shown.width * shown.height + MemoryCacheLimit.entryCost
    }
    let capacity = configuration.cache.memoryBytes
    let best = trace.belady(capacity: capacity) ?? trace.upperBound(capacity: capacity)
    let own = trace.score(of: configuration.cache.policy.policy(capacity: capacity))
    for contender in [Contender.noPrefetch, .cellophane] {
      outcome.runs[contender]?.whole.values[.bestMemoryHits] = best.hitRatio
      guard best.hits > 0 else { continue }
      outcome.runs[contender]?.whole.values[.memoryRegret] = Double(best.hits - own.hits) / Double(best.hits)
    }
  }

  /// What is to be known of the first `duration`.
  private func foresees(_ duration: Duration) -> Foresight {
    Foresight(
      postures, refreshRate: configuration.viewport.refreshRate, duration: duration,
      picture: contents.picture)
  }

  private func oracle(
    _ foresight: Foresight, _ pictures: ModelledPictures, missed: Int
  ) -> RunMeasurement {
    let refreshRate = configuration.viewport.refreshRate
    let line = configuration.network.line(connections: nil, seed: configuration.seed)
    func judged(by foresight: Foresight) -> Oracle {
      Oracle(
        foresight, bytes: pictures.bytes, bitsPerSecond: line.profile.downBitsPerSecond,
        // The handshakes of the first connection, and the way of a request and its answer.
        lead: (line.setup + line.profile.roundTrip).seconds, missed: missed)
    }
    var oracle = judged(by: foresight)
    if configuration.duration > Oracle.sharpDuration {
      // Where nothing is there yet, stretches must be short to tell what cannot be there.
      oracle = oracle.sharpened(by: judged(by: foresees(Oracle.sharpDuration)))
    }
    var bound = Measurement(refreshRate: refreshRate)
    bound.values[.blankRatio] = oracle.blankRatio
    bound.values[.blankPixelSeconds] = oracle.blankArea / Double(refreshRate)
    return RunMeasurement(whole: bound)
  }
}
