internal import Cellophane

/// The observations of one run by its meter, the network and the loader.
package struct RunObservation: Sendable {
  package var tally: RunTally
  /// The peak number of concurrent transfers on the network; nil if only the loader's count is known.
  var peakTransfers: Int?
  /// The number of connections opened; nil if unknown.
  var connections: Int?
  /// The bytes that arrived after the cancellation of their transfers, which no transfer includes; nil if
  /// unknown.
  var receivedAfterCancel: Int?
  /// The number of images that arrived for a slot with another row, and were discarded; nil if the loader
  /// discards none.
  package var staleDropped: Int?
  /// The peak size of the memory cache, in bytes.
  package var peakMemoryCost = 0
  /// False if drawing takes no time, so that no frame can be late.
  package var framesCanBeLate = true
  /// The slots that wait for an image that will never arrive, and their rows.
  package var waitingRows: [(slot: Int, row: Int)] = []
  /// The amount of work that continued after all requests ended and all work had time to finish.
  package var leftOver = 0
  /// The hash of all events of the run; nil if runs are not repeatable.
  package var fingerprint: UInt64?
  /// The recording; nil unless requested.
  package var recording: Recording?
  /// The requests of the slots; nil unless requested.
  package var requests: RequestTrace?
  /// The run as a trace; nil unless requested.
  package var trace: [UInt8]?

  /// Creates the observations of a run.
  package init(
    tally: RunTally, peakTransfers: Int? = nil, connections: Int? = nil, receivedAfterCancel: Int? = nil
  ) {
    self.tally = tally
    self.peakTransfers = peakTransfers
    self.connections = connections
    self.receivedAfterCancel = receivedAfterCancel
  }
}

/// The measurement of one loader in one run, or in one phase of it: one replica.
package struct Measurement: Sendable {
  package var values: [Metric: Double] = [:]
  package var waits: [WaitMetric: WaitHistogram] = [:]
  let refreshRate: Int

  /// Creates measurements of a run at `refreshRate`.
  package init(values: [Metric: Double] = [:], waits: [WaitMetric: WaitHistogram] = [:], refreshRate: Int) {
    self.values = values
    self.waits = waits
    self.refreshRate = refreshRate
  }

  /// The value of `metric`; nil if it could not be measured.
  package subscript(metric: Metric) -> Double? { values[metric] }
}

extension [Measurement] {
  /// Returns the waits of `metric` in each replica.
  func waits(_ metric: WaitMetric) -> [WaitHistogram] { map { $0.waits[metric] ?? WaitHistogram() } }

  /// Returns the unit of the waits of `metric`, in ticks per second.
  func ticksPerSecond(_ metric: WaitMetric) -> Int {
    metric.ticksPerSecond(at: first?.refreshRate ?? 1)
  }

  /// Returns the estimate from the waits of `metric` in all replicas.
  func pooled(_ metric: WaitMetric) -> WaitDistribution {
    WaitDistribution(
      waits(metric).reduce(into: WaitHistogram()) { $0 += $1 }, ticksPerSecond: ticksPerSecond(metric))
  }
}

/// The measurement of one loader in one run, with its phases.
package struct RunMeasurement: Sendable {
  /// The measurement of a phase, from its first vsync to its last.
  package struct Phase: Sendable {
    let phase: RunPhase
    let from, to: Duration
    let measurement: Measurement

    /// Creates the measurements of a phase.
    package init(phase: RunPhase, from: Duration, to: Duration, measurement: Measurement) {
      self.phase = phase
      self.from = from
      self.to = to
      self.measurement = measurement
    }
  }

  package var overall: Measurement
  let phases: [Phase]
  let series: RunSeries?

  /// Creates a measurement from its parts.
  package init(overall: Measurement, phases: [Phase] = [], series: RunSeries? = nil) {
    self.overall = overall
    self.phases = phases
    self.series = series
  }

  /// Creates the measurement of `observation`. `expected` returns the image of a row; nil if it is unknown.
  package init(_ observation: RunObservation, expected: (Int) -> PictureIdentity?) {
    let sums = Sums(observation, expected: expected)
    let tally = observation.tally
    var overall = sums.measurement(of: nil)
    overall.waits[.firstScreen] = tally.rests.first
    overall.values.merge(Self.values(of: observation, sums)) { $1 }
    for metric in [Metric.bytesDown, .wastedBytes, .wastedAfterCancel] {
      overall.values[metric]? += Double(observation.receivedAfterCancel ?? 0)
    }
    overall.values.merge(tally.prefetches.values) { $1 }
    self.overall = overall
    phases = RunPhase.allCases.compactMap { phase in
      tally.spans[phase].map { span in
        Phase(
          phase: phase, from: .seconds(span.lowerBound) / tally.refreshRate,
          to: .seconds(span.upperBound) / tally.refreshRate, measurement: sums.measurement(of: phase))
      }
    }
    series = tally.seriesTally?.series
  }

  /// Returns the metrics of complete runs, which phases do not have.
  private static func values(of observation: RunObservation, _ sums: Sums) -> [Metric: Double] {
    let tally = observation.tally
    let dropped = observation.staleDropped ?? 0
    // Without any image, no late result was prevented: an origin that fails sends none.
    let slots = tally.slots.sums.total
    let hasPictures = !slots.shown.isEmpty || tally.transfers.sums.total.bytes > 0
    let prevented = observation.staleDropped == nil ? 0 : hasPictures ? slots.superseded : dropped
    let values: [Metric: Double?] = [
      .blankRatioCold: sums.blankRatio(in: [.cold]),
      .blankRatioWarm: sums.blankRatio(in: [.scroll, .back]),
      .unverifiedRows: Double(sums.unverified),
      .peakInFlight: Double(observation.peakTransfers ?? tally.transfers.peakRunning),
      .connectionsOpened: observation.connections.map(Double.init),
      .stalePrevented: Double(prevented),
      .staleCancelled: Double(prevented - dropped),
      .staleDropped: Double(dropped),
      .peakResidentBytes: tally.peakResidentBytes.map(Double.init),
      .peakMemoryCost: Double(observation.peakMemoryCost),
    ]
    return values.compactMapValues(\.self)
  }
}
