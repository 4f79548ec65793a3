/// The result of a simulation. `json()` writes it.
public struct SimulationResult: Sendable, Hashable, Codable {
  /// The name of the schema. New versions only add fields.
  public static let schema = "cellophane.simulate/1"

  /// The name of the schema.
  public let schema: String
  /// The tool that measured it.
  package let tool: SimulationTool
  /// The progress of a run that was cancelled; nil if the run is complete.
  package let incomplete: Incomplete?
  /// The command that repeats the run; nil for the user's own images, because the name of their list is
  /// unknown here.
  public var reproduce: String?
  /// The name and version of the suite that contains this configuration; nil if no suite does.
  public let suite: String?
  /// The name of the case, such as `cards/lh-slow4g/browser`; nil without a suite.
  public let suiteCase: String?
  /// The name of the loader under test, whose metrics are ``metrics``: `cellophane`, or another one.
  public let loader: String
  /// The time mode: `virtual` or `real`.
  public let time: String
  /// The hash of all events of all runs with their times and order. In virtual time it is the same for every
  /// run of the same configuration. Nil in real time.
  public let fingerprint: String?
  /// The configuration that was played, completed with derived values.
  public let config: SimulationConfiguration
  /// The metrics of the loader under test.
  public let metrics: MeasuredMetrics
  /// The metrics of each phase that occurred.
  package let phases: [PhaseMetrics]
  /// The course over time.
  package let series: RunSeries?
  /// The waits, counted by length.
  package let histograms: Histograms
  /// The exact waits of each replica.
  package let samples: [WaitMetric: WaitSamples]
  /// The metrics of the other loaders, with the same gestures and images.
  public let baselines: [LoaderUnderTest: RunMetrics]
  /// The differences between the loader under test and each of the other loaders: its numbers minus theirs, from paired
  /// replicas.
  package let differences: [LoaderUnderTest: MetricDifferences]
  /// The blank ratio minus the lower bound of any loader: the possible improvement. Nil for the user's own
  /// images, because the rate of their network is unknown.
  public let oracleGap: Double?
  /// The share of rows that still wait, by waiting time, for each loader over all replicas.
  package let survival: [SurvivalCurve]
  /// The recording of the first replica; nil unless requested.
  package internal(set) var recording: Recording?
  /// The recording of the naive loader in the same replica, with the same gestures; nil unless requested.
  package internal(set) var naiveRecording: Recording?
  /// The requests of the slots in the first replica; nil unless requested. Not part of the JSON.
  package private(set) var requests: RequestTrace?
  /// The run of the first replica as a trace; nil unless requested. Not part of the JSON.
  package private(set) var trace: [UInt8]?
  /// The invariants of every run.
  package let invariants: Invariants
  /// The outcomes of the assertions; see ``Assertion``.
  public var assertions: [AssertionOutcome] = []
  /// The elapsed real time, in s.
  public let wallSeconds: Double

  enum CodingKeys: String, CodingKey {
    case schema, tool, incomplete, reproduce, suite, loader, time, fingerprint, config, metrics, phases,
      series
    case histograms, samples, baselines, differences, survival, recording, invariants, assertions
    case suiteCase = "suite_case"
    case oracleGap = "oracle_gap"
    case wallSeconds = "wall_s"
    case naiveRecording = "naive_recording"
  }

  /// Creates the result of `outcomes`, one for each replica, in the order of their seeds.
  ///
  /// - Parameters:
  ///   - loader: The name of a loader under test that the configuration does not name; nil for the one that it names.
  ///   - planned: The number of planned replicas; nil if all were played.
  package init(
    _ outcomes: [ReplicaOutcome], config: SimulationConfiguration, loader: String? = nil, planned: Int? = nil,
    wall: Duration
  ) {
    func runs(_ loader: LoaderUnderTest) -> [RunMeasurement] { outcomes.compactMap { $0.runs[loader] } }
    func overall(_ loader: LoaderUnderTest) -> [Measurement] { runs(loader).map(\.overall) }
    schema = Self.schema
    tool = SimulationTool()
    incomplete = Incomplete(finished: outcomes.count, planned: planned ?? outcomes.count)
    time = config.time.rawValue
    self.config = config
    self.loader = loader ?? config.loader.name.rawValue
    reproduce = self.loader == config.loader.name.rawValue ? config.command : nil
    let published = PublishedSuite.find(config.asPlayed)
    (suite, suiteCase) = (published?.suite, published?.name)
    fingerprint = ReplicaOutcome.fingerprint(of: outcomes)
    let bootstrap = Bootstrap(count: outcomes.count, seed: config.seed)
    let subject = outcomes.first?.subject ?? .cellophane
    let own = overall(subject)
    let drawn = DrawnReplicas(own, bootstrap)
    metrics = MeasuredMetrics(drawn)
    phases = RunPhase.allCases.compactMap { PhaseMetrics($0, in: runs(subject)) }
    series = runs(subject).first?.series
    histograms = Histograms(own)
    samples = Dictionary(
      uniqueKeysWithValues: WaitMetric.allCases.filter {
        $0 != .timeToPreview || config.loader.previews
      }.map { metric in
        (metric, WaitSamples(own.waits(metric), ticksPerSecond: own.ticksPerSecond(metric)))
      })
    let others = LoaderUnderTest.allCases.filter { $0 != subject && !runs($0).isEmpty }
    baselines = Dictionary(uniqueKeysWithValues: others.map { ($0, RunMetrics(overall($0))) })
    differences = Dictionary(
      uniqueKeysWithValues: others.map {
        ($0, MetricDifferences(drawn, DrawnReplicas(overall($0), bootstrap)))
      })
    oracleGap = differences[.oracle]?[.metric(.blankRatio)]?.mean
    survival = ([subject] + others).map { [name = self.loader] one in
      let waits = overall(one).waits(.timeToImage).reduce(into: WaitHistogram()) { $0 += $1 }
      return SurvivalCurve(
        one == subject ? name : one.rawValue, waits, ticksPerSecond: own.ticksPerSecond(.timeToImage))
    }
    recording = outcomes.first?.recording
    naiveRecording = outcomes.first?.naiveRecording
    requests = outcomes.first?.requests
    trace = outcomes.first?.trace
    invariants = Invariants(outcomes, config)
    wallSeconds = wall.seconds
  }

  /// True if the loader under test is this library.
  package var isCellophane: Bool { loader == LoaderUnderTest.cellophane.rawValue }

  /// A short description of each invariant that the run broke, such as a wrong image or a slot that waits forever.
  /// Anything but an empty list is an error of the loader.
  public var brokenInvariants: [String] { invariants.broken }

  /// True if loads failed and no image was shown.
  public var hasFailed: Bool {
    let hasShown = metrics[.timeToImage].longestEnded != nil || metrics[.unverifiedRows].mean ?? 0 > 0
    return metrics[.failedLoads].mean ?? 0 > 0 && !hasShown
  }

  /// An assessment of a run.
  package enum Verdict: Sendable, Hashable {
    /// Images were shown, or no load failed.
    case played
    /// Loads failed, and no image was shown.
    case failed
    /// An invariant is broken.
    case invariantBroken
  }

  /// The assessment of the run. A broken invariant takes precedence over failed loads.
  package var verdict: Verdict {
    if !invariants.hold { return .invariantBroken }
    return hasFailed ? .failed : .played
  }
}
