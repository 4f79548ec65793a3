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
    if withOracle { outcome.runs[.oracle] = oracle(schedule, pictures, missed: missed) }

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
