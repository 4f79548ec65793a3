/// What a simulation found, in the shape that ``json()`` writes.
public struct SimulationResult: Sendable, Hashable, Codable {
  /// The shape's name; it only grows.
  public static let schema = "cellophane.simulate/1"

  /// ``schema``.
  public let schema: String
  /// What measured it.
  public let tool: SimulationTool
  /// Said of a result of a run that was cancelled; nil when all was played.
  public let incomplete: Incomplete?
  /// The command that plays the same again; nil for pictures of the user's, of which only he knows the list's name.
  public var reproduce: String?
  /// The suite, by name and version, of which this is a case; nil when it is none.
  public let suite: String?
  /// The case, such as `cards/lh-slow4g/browser`; nil when it is none.
  public let suiteCase: String?
  /// How time passed: `virtual`, or `real` by the clock.
  public let time: String
  /// The hash of everything that happened in all runs, when and in which order: the same on every run of the same
  /// configuration in virtual time. Nil in real time.
  public let fingerprint: String?
  /// What was played, completed by what follows from it.
  public let config: SimulationConfiguration
  /// What this loader did.
  public let metrics: MeasuredMetrics
  /// The same for each phase that there was.
  public let phases: [PhaseMetrics]
  /// The same over time.
  public let series: RunSeries?
  /// How long was waited, counted by length.
  public let histograms: Histograms
  /// How long was waited in each replica, exactly.
  public let samples: [WaitMetric: WaitSamples]
  /// What others did, on the same gestures and pictures: the same metrics in the same units.
  public let baselines: [Contender: RunMetrics]
  /// How far this loader is from each of them: its numbers less theirs, from pairs of replicas.
  public let differences: [Contender: MetricDifferences]
  /// How much larger this loader's blank ratio is than the least that any could have: what is left to gain. Nil in
  /// real time, where nobody knows what the line can bring.
  public let oracleGap: Double?
  /// How many rows still waited after which time, of each loader, in all replicas together.
  public let survival: [SurvivalCurve]
  /// What happened in the first replica, moment by moment; nil unless it was asked for.
  public internal(set) var recording: Recording?
  /// What the slots asked for in the first replica; nil unless it was asked for. Not part of the JSON.
  public private(set) var requests: RequestTrace?
  /// What must hold in every run.
  public let invariants: Invariants
  /// What was asked to hold; see ``Assertion``.
  public var assertions: [AssertionOutcome] = []
  /// How long it took, in s.
  public let wallSeconds: Double

  enum CodingKeys: String, CodingKey {
    case schema, tool, incomplete, reproduce, suite, time, fingerprint, config, metrics, phases, series
    case histograms, samples, baselines, differences, survival, recording, invariants, assertions
    case suiteCase = "suite_case"
    case oracleGap = "oracle_gap"
    case wallSeconds = "wall_s"
  }

  /// What `outcomes` come to, one of each replica, in the order of their seeds.
  ///
  /// - Parameter planned: How many replicas there were to be; nil for as many as there are.
  init(
    _ outcomes: [ReplicaOutcome], config: SimulationConfiguration, planned: Int? = nil, wall: Duration
  ) {
    func runs(_ contender: Contender) -> [RunMeasurement] { outcomes.compactMap { $0.runs[contender] } }
    func wholes(_ contender: Contender) -> [Measurement] { runs(contender).map(\.whole) }
    schema = Self.schema
    tool = SimulationTool()
    incomplete = Incomplete(finished: outcomes.count, planned: planned ?? outcomes.count)
    time = config.time.rawValue
    self.config = config
    reproduce = config.command
    let published = SuiteV1.suiteCase(of: config.asPlayed)
    (suite, suiteCase) = (published?.suite, published?.name)
    fingerprint = ReplicaOutcome.fingerprint(of: outcomes)
    let bootstrap = Bootstrap(count: outcomes.count, seed: config.seed)
    let own = wholes(.cellophane)
    let drawn = DrawnReplicas(own, bootstrap)
    metrics = MeasuredMetrics(drawn)
    phases = RunPhase.allCases.compactMap { PhaseMetrics($0, in: runs(.cellophane)) }
    series = runs(.cellophane).first?.series
    histograms = Histograms(own)
    samples = Dictionary(
      uniqueKeysWithValues: WaitMetric.allCases.filter {
        $0 != .timeToPreview || config.loader.previews
      }.map { metric in
        (metric, WaitSamples(own.waits(metric), ticksPerSecond: own.ticksPerSecond(metric)))
      })
    let others = Contender.allCases.filter { $0 != .cellophane && !runs($0).isEmpty }
    baselines = Dictionary(uniqueKeysWithValues: others.map { ($0, RunMetrics(wholes($0))) })
    differences = Dictionary(
      uniqueKeysWithValues: others.map {
        ($0, MetricDifferences(drawn, DrawnReplicas(wholes($0), bootstrap)))
      })
    oracleGap = differences[.oracle]?[.metric(.blankRatio)]?.mean
    let loaders = [Contender.cellophane] + others
    survival = loaders.map { loader in
      let waits = wholes(loader).waits(.timeToImage).reduce(into: WaitHistogram()) { $0 += $1 }
      return SurvivalCurve(loader.rawValue, waits, ticksPerSecond: own.ticksPerSecond(.timeToImage))
    }
    recording = outcomes.first?.recording
    requests = outcomes.first?.requests
    invariants = Invariants(outcomes, config)
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
    let hasShown = metrics[.timeToImage].longestOver != nil || metrics[.unverifiedRows].mean ?? 0 > 0
    return metrics[.failedLoads].mean ?? 0 > 0 && !hasShown ? .failed : .played
  }
}
