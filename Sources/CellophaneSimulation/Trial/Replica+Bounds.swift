internal import Cellophane
internal import CellophaneNetwork

extension Replica {
  /// Adds the metrics that follow from gestures known in advance: the oracle, and the best possible hit ratio
  /// of the memory cache. Only for generated images, of any size and with any repetition. The sizes of the
  /// user's own images and the rates of their networks are unknown.
  ///
  /// - Parameter missed: The number of vsyncs in which the screen differed from the schedule, because frames
  ///   were late.
  /// - Throws: ``LoadError/Kind/invalidRequest`` if all images together take more than 2⁶³ bytes of memory.
  func addBounds(
    _ outcome: inout ReplicaOutcome, _ pictures: ModeledPictures, withOracle: Bool, missed: Int = 0
  ) throws(LoadError) {
    let schedule = clairvoyantSchedule(for: configuration.duration)
    if withOracle || configuration.foresight {
      let oracle = oracle(schedule, pictures, missed: missed)
      if withOracle { outcome.runs[.oracle] = oracle }
      if configuration.foresight {
        let values = foresight(pictures).merging([.foresightAll: oracle.overall.values[.blankRatio]]) { $1 }
        outcome.runs[outcome.subject]?.overall.values.merge(values.compactMapValues(\.self)) { $1 }
      }
    }

    let layouts = (upright: orientations[0].layout, rotated: orientations.first(where: \.isRotated)?.layout)
    let trace = try schedule.trace { request in
      let layout = request.isRotated ? layouts.rotated ?? layouts.upright : layouts.upright
      let shown = contents.imageSize(of: request.picture).fitted(
        into: layout.pixelSize(of: Int(request.row)))
      return 4 * shown.width * shown.height + MemoryCacheLimit.entryCost
    }
    let capacity = configuration.cache.memoryBytes
    let best = trace.belady(capacity: capacity) ?? trace.upperBound(capacity: capacity)
    let own = trace.score(of: configuration.cache.policy.policy(capacity: capacity))
    for loader in [LoaderUnderTest.noPrefetch, .cellophane, .other] {
      outcome.runs[loader]?.overall.values[.bestMemoryHits] = best.hitRatio
      guard best.hits > 0 else { continue }
      outcome.runs[loader]?.overall.values[.memoryRegret] = Double(best.hits - own.hits) / Double(best.hits)
    }
  }

  /// Returns the schedule of the first `duration` of the run.
  private func clairvoyantSchedule(for duration: Duration) -> ClairvoyantSchedule {
    ClairvoyantSchedule(
      orientations, refreshRate: configuration.viewport.refreshRate, duration: duration,
      picture: contents.picture)
  }

  /// Returns the blank shares of planners with limited foresight.
  private func foresight(_ pictures: ModeledPictures) -> [Metric: Double?] {
    let refreshRate = configuration.viewport.refreshRate
    let seconds = configuration.duration.seconds
    // The slices of the oracle, without those that have no frame: otherwise a planner might be below it.
    let frames = Int((seconds * Double(refreshRate)).rounded(.up))
    let slices = min(frames, ClairvoyantSchedule.sliceCount)
    let schedule = ClairvoyantSchedule(
      orientations, refreshRate: refreshRate, duration: configuration.duration, slices: slices,
      picture: contents.picture)
    guard schedule.area > 0 else { return [:] }
    let link = configuration.network.link(connections: nil, seed: configuration.seed)
    let planners = LimitedForesight(
      schedule, pictures, rows: orientations[0].layout.rows, deliverable: link.deliverable)
    let horizons: [(Metric, seconds: Double)] = [(.foresight0s, 0), (.foresight1s, 1), (.foresight3s, 3)]
    return Dictionary(
      uniqueKeysWithValues: horizons.map { metric, horizon in
        let horizon = Int((horizon * Double(slices) / seconds).rounded())
        return (metric, 1 - planners.shownArea(horizon: horizon) / schedule.area)
      })
  }

  private func oracle(
    _ schedule: ClairvoyantSchedule, _ pictures: ModeledPictures, missed: Int
  ) -> RunMeasurement {
    let refreshRate = configuration.viewport.refreshRate
    let link = configuration.network.link(connections: nil, seed: configuration.seed)
    func bound(from schedule: ClairvoyantSchedule) -> Oracle {
      Oracle(schedule, bytes: pictures.bytes, deliverable: link.deliverable, missed: missed)
    }
    var oracle = bound(from: schedule)
    if configuration.duration > Oracle.fineDuration {
      // At the start, before anything has arrived, short slices give a tighter bound.
      oracle = oracle.tightened(by: bound(from: clairvoyantSchedule(for: Oracle.fineDuration)))
    }
    var measurement = Measurement(refreshRate: refreshRate)
    measurement.values[.blankRatio] = oracle.blankRatio
    measurement.values[.blankPixelSeconds] = oracle.blankArea / Double(refreshRate)
    return RunMeasurement(overall: measurement)
  }
}
