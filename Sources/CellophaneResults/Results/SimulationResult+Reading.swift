extension SimulationResult {
  /// Reads the output of `encode(to:)`.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    schema = try object.located(.schema)
    tool = try object.located(.tool)
    incomplete = try object.locatedIfPresent(.incomplete)
    reproduce = try object.locatedIfPresent(.reproduce)
    suite = try object.locatedIfPresent(.suite)
    suiteCase = try object.locatedIfPresent(.suiteCase)
    // Earlier versions measured only Cellophane.
    loader = try object.locatedIfPresent(.loader) ?? LoaderUnderTest.cellophane.rawValue
    time = try object.located(.time)
    fingerprint = try object.locatedIfPresent(.fingerprint)
    config = try object.located(.config)
    metrics = try object.located(.metrics)
    phases = try object.located(.phases)
    series = try object.locatedIfPresent(.series)
    histograms = try object.located(.histograms)
    samples = try object.located(.samples)
    baselines = try object.located(.baselines)
    differences = try object.located(.differences)
    oracleGap = try object.locatedIfPresent(.oracleGap)
    survival = try object.located(.survival)
    recording = try object.locatedIfPresent(.recording)
    naiveRecording = try object.locatedIfPresent(.naiveRecording)
    invariants = try object.located(.invariants)
    assertions = try object.located(.assertions)
    wallSeconds = try object.located(.wallSeconds)
  }
}
