internal import Cellophane

/// Everything that was observed of one run, by its meter, the line and the loader.
struct RunObservation: Sendable {
  var tally: RunTally
  /// The most transfers that were on the line at once; nil where only the loader's side is known.
  var mostInFlight: Int?
  /// How many connections were opened; nil where nobody counts them.
  var connections: Int?
  /// The bytes that still came down the line of transfers that had been given up, which no transfer counts; nil where
  /// nobody counts them.
  var receivedAfterCancel: Int?
  /// Pictures that came for a slot which had moved on, and were dropped; nil for a loader that drops none.
  var staleDropped: Int?
  /// The most that the memory cache held, in bytes.
  var peakMemoryCost = 0
  /// False where drawing takes no time, so that no frame can be late.
  var canBeLate = true
  /// The slots that wait for a picture which will never come, with their rows.
  var waitingRows: [(slot: Int, row: Int)] = []
  /// What is still being done although nobody wants anything any more and everything had its time.
  var leftOver = 0
  /// The hash of everything that happened; nil where the same does not happen twice.
  var fingerprint: UInt64?
  /// What happened, moment by moment; nil unless it was asked for.
  var recording: Recording?
  /// What the slots asked for; nil unless it was asked for.
  var requests: RequestTrace?
}

/// What was measured of one loader in one run or one phase of it: one replica.
struct Measurement: Sendable {
  var values: [Metric: Double] = [:]
  var waits: [WaitMetric: WaitHistogram] = [:]
  let refreshRate: Int

  /// The value of `metric`; nil when it could not be measured.
  subscript(metric: Metric) -> Double? { values[metric] }
}

extension [Measurement] {
  /// The waits of `metric` in each replica.
  func waits(_ metric: WaitMetric) -> [WaitHistogram] { map { $0.waits[metric] ?? WaitHistogram() } }

  /// What the waits of `metric` are counted in.
  func ticksPerSecond(_ metric: WaitMetric) -> Int {
    metric.ticksPerSecond(at: first?.refreshRate ?? 1)
  }

  /// The estimate from the waits of `metric` of all replicas together.
  func pooled(_ metric: WaitMetric) -> KaplanMeier {
    KaplanMeier(
      waits(metric).reduce(into: WaitHistogram()) { $0 += $1 }, ticksPerSecond: ticksPerSecond(metric))
  }
}

/// What was measured of one loader in one run.
struct RunMeasurement: Sendable {
  /// The measurement of a phase, from its first vsync to its last.
  struct Phase: Sendable {
    let phase: RunPhase
    let from, to: Duration
    let measurement: Measurement
  }

  var whole: Measurement
  let phases: [Phase]
  let series: RunSeries?

  /// A measurement of these parts.
  init(whole: Measurement, phases: [Phase] = [], series: RunSeries? = nil) {
    self.whole = whole
    self.phases = phases
    self.series = series
  }

  /// The measurement of `observation`, given the picture that belongs to each row, if that is known.
  init(_ observation: RunObservation, expected: (Int) -> PictureIdentity?) {
    let sums = Sums(observation, expected: expected)
    let tally = observation.tally
    var whole = sums.measurement(of: nil)
    whole.waits[.firstScreen] = tally.rests.first
    whole.values.merge(Self.values(of: observation, sums)) { $1 }
    for metric in [Metric.bytesDown, .wastedBytes, .wastedAfterCancel] {
      whole.values[metric]? += Double(observation.receivedAfterCancel ?? 0)
    }
    whole.values.merge(tally.prefetches.values) { $1 }
    self.whole = whole
    phases = RunPhase.allCases.compactMap { phase in
      tally.spans[phase].map { span in
        Phase(
          phase: phase, from: .seconds(span.lowerBound) / tally.refreshRate,
          to: .seconds(span.upperBound) / tally.refreshRate, measurement: sums.measurement(of: phase))
      }
    }
    series = tally.seriesTally?.series
  }

  /// What is measured of whole runs only.
  private static func values(of observation: RunObservation, _ sums: Sums) -> [Metric: Double] {
    let tally = observation.tally
    let dropped = observation.staleDropped ?? 0
    // Where no picture came, none was kept off: an origin that fails has nothing to show late.
    let slots = tally.slots.sums.total
    let hasPictures = !slots.shown.isEmpty || tally.transfers.sums.total.bytes > 0
    let prevented = observation.staleDropped == nil ? 0 : hasPictures ? slots.superseded : dropped
    let values: [Metric: Double?] = [
      .unverifiedRows: Double(sums.unverified),
      .peakInFlight: Double(observation.mostInFlight ?? tally.transfers.mostRunning),
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
