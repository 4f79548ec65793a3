internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneSimulation

/// `cellophane simulate`
struct Simulate: AsyncParsableCommand, CheckedCommand, ScenarioCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Scroll a list through the real loader, and measure what users see.",
    discussion: """
      Three loaders see the same gestures: 'cellophane' with the given options, 'naive' (a download per cell, \
      without caches), and 'on demand' (Cellophane without prefetching). The 'oracle' is the lowest blank share that \
      any loader could reach on this network.

      In virtual time, the loaders run on one thread over models of the network, the disk and decoding. A minute of \
      scrolling takes a moment, and equal options give equal results with equal fingerprints. In real time, an \
      embedded origin serves images over a shaped network, and the tool reads from the pixels which image each slot \
      shows.

      The defaults describe an ordinary current phone: Android, 2.625 device pixels per px, the network phone-p50, HTTP/2, \
      JPEG files, and 64 MiB of memory. A field that a scenario file omits has a fixed value, which is also the \
      default of real time: see Simulate.md.

      The exit code is 3 if an invariant is broken: a wrong image, two simultaneous transfers of one image, a slot \
      that waits forever, or work left over. It is 4 if an --assert does not hold or is not shown to hold, 5 if \
      --compare confirms that the blank share is worse, and 1 if no image was shown.

      Examples:
        cellophane simulate --network lh-slow4g --profile browser --html report.html
        cellophane simulate --sweep memory=1MB,4MB --sweep prefetch=none,rows:8
        cellophane simulate --quiet --json result.json --assert 'blank_ratio<10%'
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Read settings from this JSON file, also from a result of --json, from standard input ('-'), or from JSON text. \
      Options override them.
      """,
      valueName: "scenario"),
    completion: .file())
  var scenario: String?

  @OptionGroup(title: "Run") var general: GeneralOptions
  @OptionGroup(title: "Run") var repetition: RepetitionOptions
  @OptionGroup(title: "List") var list: ListOptions
  @OptionGroup(title: "Scrolling") var scrolling: ScrollOptions
  @OptionGroup(title: "Network and origin") var network: NetworkOptions
  @OptionGroup(title: "Loader") var tested: TestedLoaderOptions
  @OptionGroup(title: "Caches and prefetching") var loader: LoaderOptions
  @OptionGroup(title: "Assertions and comparisons") var comparisons: ComparisonOptions
  @OptionGroup(title: "Assertions and comparisons") var published: SuiteCaseOptions
  @OptionGroup(title: "Output files") var exports: ExportOptions
  @OptionGroup(title: "Terminal") var live: LiveOptions
  @OptionGroup(title: "Models") var model: ModelOptions
  @OptionGroup(title: "Cache traces") var cacheTrace: CacheTraceOptions

  func run() async throws {
    let (jsonPath, quiet) = (general.jsonPath, general.quiet)
    do {
      if let listed = comparisons.listed { return try Output.lines(listed.lines) }
      // A run may last minutes, and a file that cannot be written would lose its result.
      for (_, path) in files where path != "-" { try FileIO.checkWritable(path) }
      if let requests = cacheTrace.requests { return try await replay(requests) }
      if model.calibrate { return try await printCosts() }
      let assertions = try comparisons.parsed()
      if let results = try comparisons.compared() { return try write(comparisonOf: results, assertions) }
      if let study = try comparisons.study(of: self) {
        try await run(study, assertions)
        return
      }
      let simulation = try Simulation(try configuration())
      if let path = tested.scriptPath { return try FileIO.write(simulation.script(), to: path) }
      if model.validate { return try await printValidation(of: simulation) }
      let view = quiet ? nil : live.view(of: simulation.configuration)
      let showsPhases = !quiet
      var instrumentation = exports.instrumentation(withJSON: jsonPath != nil)
      instrumentation.keepsFinished = true
      view?.watch(&instrumentation)
      defer { view?.end() }
      var result = try await Interruption().runCancellable { [instrumentation] in
        try await simulation.run(instrumentation) { phase in
          if showsPhases, view == nil || !phase.isInView { Output.note(phase.sentence) }
        }
      }
      view?.end()
      // The simulation does not know the file name of a list; the command line does.
      if result.reproduce == nil { result.reproduce = RepeatingCommand().text }
      result.assertions = assertions.map { $0.checked(on: result) }
      if let jsonPath { try FileIO.write(result.json(), to: jsonPath) }
      try exports.write(result)
      if !quiet, jsonPath != "-", !exports.usesStandardOutput {
        try Output.bytes(Array(result.table(all: live.showsAll, usesColor: live.colorsTables).utf8).span)
      }
      if let incomplete = result.incomplete { throw Failure(incomplete, of: "replicas") }
      try check(result)
    } catch let error as LoadError {
      throw Failure(
        namingOption(in: error, given: settings + swept), json: jsonPath == "-",
        kept: "nothing was finished, so no result is written")
    }
  }

  /// Checks the verdict and the assertions of `result`.
  ///
  /// - Throws: ``Failure`` for the most severe problem.
  private func check(_ result: SimulationResult) throws {
    switch result.verdict {
    case .played:
      try Failure.check(result.assertions)
    case .failed:
      let mean = result.metrics[.failedLoads].mean ?? 0
      let loads = mean == mean.rounded() ? Text.count(Int(mean), "load") : Text.decimal(mean) + " loads"
      // Only generated images have settings of the origin.
      let causes = result.config.list.isOwn ? "the URLs and the network" : "--fail and the network"
      throw Failure(
        .failed, kind: "nothing-shown", "no image was shown: \(loads) failed per replica; check \(causes)")
    case .invariantBroken:
      let command = result.invariants.repeatBroken.map { ["repeat with: " + $0] } ?? []
      throw Failure.invariantBroken(result.invariants.broken + command)
    }
  }

  private func run(_ study: Study, _ assertions: [Assertion]) async throws {
    let (jsonPath, showsCases) = (general.jsonPath, !general.quiet)
    var result = try await Interruption().runCancellable {
      try await study.run(keepsFinished: true) { index in
        if showsCases {
          Output.note("case \(index + 1) of \(study.cases.count): \(study.caseTitle(index)) ...")
        }
      }
    }
    result.reproduce = RepeatingCommand().text
    result.assertions = assertions.flatMap { $0.checked(on: result) }
    if let jsonPath { try FileIO.write(result.json(), to: jsonPath) }
    try exports.write(result)
    if showsCases, jsonPath != "-", !exports.usesStandardOutput {
      try Output.bytes(Array(result.table(usesColor: live.colorsTables).utf8).span)
    }
    if let incomplete = result.incomplete { throw Failure(incomplete, of: "cases") }
    if !result.broken.isEmpty { throw Failure.invariantBroken(result.broken) }
    try Failure.check(result.assertions)
  }

  /// The number of replicas; nil if the scenario decides.
  var replicas: Int? { repetition.replicas }

  /// Returns the configuration of the scenario and the options. The user's own images need real time, unless an option or
  /// the scenario sets the time.
  func configuration() throws(LoadError) -> SimulationConfiguration {
    var configuration = try read(
      in: repetition.time ?? (model.validate ? .real : nil), otherwise: list.urls == nil ? .virtual : .real)
    try apply(to: &configuration)
    if configuration.time == .real { try Platform.checkThreads(Platform.leastSimulationThreads) }
    // An option without effect here may have one for another value of a sweep.
    if comparisons.sweeps.isEmpty { try checkUse(in: configuration) }
    return configuration
  }

  /// Sets the given options in `configuration`.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    // First, because it changes the defaults of other options.
    if let name = tested.loader { configuration.loader.name = name }
    if repetition.foresight { configuration.foresight = true }
    try applyOptions(to: &configuration)
    try model.apply(to: &configuration)
    // Files with drawn sizes have no pixels to decode.
    if scenario == nil, model.decode == .real, list.bytes == nil { configuration.list.bytes = .generated }
  }
}

extension Study {
  /// Returns the values of a case. A sensitivity study multiplies a parameter by a factor.
  func caseTitle(_ index: Int) -> String {
    let values = cases[index].values
    guard kind == .sensitivity else { return values.joined(separator: " ") }
    return index == 0 ? "base" : values.joined(separator: " × ")
  }
}

extension Simulation.Phase {
  /// True if the live view shows this phase. Real time runs the loaders one after the other, and the view shows only the
  /// last one.
  var isInView: Bool {
    switch self {
    case .playing, .measuring(.cellophane, _), .measuring(.other, _), .verifying: true
    case .preparing, .measuring: false
    }
  }

  /// The progress message at the start of the phase.
  var sentence: String {
    switch self {
    case .preparing: "preparing the images ..."
    case .playing(let replicas, let duration):
      "simulating \(Text.duration(duration)) of scrolling\(replicas > 1 ? ", \(replicas) replicas" : "") ..."
    case .measuring(let loader, let duration):
      "scrolling for \(Text.duration(duration)) with the \(loader.title) loader ..."
    case .verifying: "verifying the shown images ..."
    }
  }
}
