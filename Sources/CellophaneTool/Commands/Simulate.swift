internal import ArgumentParser
internal import Cellophane
public import CellophaneSimulation
internal import CellophaneTesting

/// `cellophane simulate`
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Scroll a list through the real loader and measure what a viewer sees.",
    discussion: """
      The list is scrolled by the same gestures with a naive loader, with Cellophane on demand and with \
      Cellophane as set up; beside them stands what no loader could undercut. In virtual time the loaders run on \
      one thread over a model of the line, of the disk and of decoding: a minute of scrolling takes a moment, \
      and the same options give the same run, told by its fingerprint. In real time an embedded origin serves \
      pictures whose pixels carry their row number, over the line of a network preset, and what each slot shows \
      is read back from its pixels. The exit code is 3 when Cellophane showed a wrong image, had two transfers \
      of one picture in flight, left something over or let a slot wait for \
      ever, 1 when loads failed and no picture was shown.
      """)

  @Argument(
    help:
      "A scenario: a JSON file, - for standard input, or the JSON itself. Options say what is different from it."
  )
  var scenario: String?

  @Option(
    help:
      "virtual: a model, the same each time; real: sockets, files, clocks. [default: virtual, with --urls real]"
  )
  var time: SimulationConfiguration.Time?

  @Option(help: "What every gesture and picture depends on. [default: 1]")
  var seed: UInt64?

  @Option(
    help: "How many times it is played, with the seed and those after it. [default: 20, in real time 1]")
  var replicas: Int?

  @OptionGroup(title: "List") var list: ListOptions
  @OptionGroup(title: "Scrolling") var scrolling: ScrollOptions
  @OptionGroup(title: "Line and origin") var line: LineOptions
  @OptionGroup(title: "Caches and prefetching") var keeping: KeepingOptions
  @OptionGroup(title: "Model") var model: ModelOptions
  @OptionGroup(title: "Judging") var judging: JudgingOptions
  @OptionGroup(title: "Instead of a list") var played: RequestOptions
  @OptionGroup(title: "Files") var records: RecordOptions
  @OptionGroup(title: "On the terminal") var live: LiveOptions

  @Option(name: .customLong("json"), help: "Where the result is written as JSON; '-' is standard output.")
  var jsonPath: String?

  @Flag(help: "Print no table and no progress.")
  var quiet = false

  func run() async throws {
    do {
      if let requests = played.requests { return try await compare(requests) }
      if model.calibrate { return try await printCosts() }
      if let comparison = try judging.comparison() {
        if let jsonPath { try FileOutput.write(comparison.json(), to: jsonPath) }
        if !quiet, jsonPath != "-" {
          try Output.bytes(Array(comparison.table(judging.compare).utf8).span)
        }
        return
      }
      if let study = try judging.study(of: self) {
        try await run(study)
        return
      }
      let assertions = try judging.parsed()
      let simulation = try Simulation(try configuration())
      if model.validate { return try await printValidation(of: simulation) }
      let view = quiet ? nil : live.view(of: simulation.configuration)
      let showsPhases = !quiet
      var attention = records.attention(withJSON: jsonPath != nil)
      attention.keepsFinished = true
      view?.watch(&attention)
      defer { view?.end() }
      var result = try await Interruption().cancels { [attention] in
        try await simulation.run(attention) { phase in
          if showsPhases, view == nil || !phase.isInView { Output.note(phase.sentence) }
        }
      }
      view?.end()
      // Only the command line knows the name of a list.
      if result.reproduce == nil { result.reproduce = Self.playing }
      result.assertions = assertions.map { $0.checked(on: result) }
      if let jsonPath { try FileOutput.write(result.json(), to: jsonPath) }
      try records.write(result)
      if !quiet, jsonPath != "-", !records.takesOutput { try Output.bytes(Array(result.table().utf8).span) }
      if let incomplete = result.incomplete { throw Failure(incomplete, of: "replicas") }
      try judge(result)
    } catch let error as LoadError {
      throw Failure(
        error, json: jsonPath == "-", kept: "nothing was finished, so that nothing is written")
    }
  }

  /// - Throws: What is wrong with `result`, the worst first.
  private func judge(_ result: SimulationResult) throws {
    switch result.verdict {
    case .played:
      let failed = result.assertions.filter { !$0.pass }
      guard !failed.isEmpty else { return }
      throw Failure(
        .assertionFailed, kind: "assertion-failed", failed.map(\.sentence).joined(separator: "; "))
    case .failed:
      let mean = result.metrics[.failedLoads].mean ?? 0
      let loads = mean == mean.rounded() ? Text.count(Int(mean)) : Text.decimal(mean)
      throw Failure(
        .failed, kind: "nothing-shown", "\(loads) loads failed in a run, and no picture was shown")
    case .invariantBroken:
      let again = result.invariants.repeatBroken.map { ["to repeat it: " + $0] } ?? []
      throw Failure.broken(result.invariants.broken + again)
    }
  }

  private func run(_ study: Study) async throws {
    let showsCases = !quiet
    var result = try await Interruption().cancels {
      try await study.run(keepsFinished: true) { index in
        if showsCases {
          Output.note(
            "\(index + 1) of \(study.cases.count): \(study.cases[index].values.joined(separator: " ")) ...")
        }
      }
    }
    result.reproduce = Self.playing
    if let jsonPath { try FileOutput.write(result.json(), to: jsonPath) }
    try records.write(result)
    if !quiet, jsonPath != "-", !records.takesOutput {
      try Output.bytes(Array(result.table(usesColour: live.coloursTables).utf8).span)
    }
    if let incomplete = result.incomplete { throw Failure(incomplete, of: "cases") }
    if !result.broken.isEmpty { throw Failure.broken(result.broken) }
  }

  /// The command that plays this again, without what says where results go, so that they do not depend on that.
  private static var playing: String {
    let plain = ["--quiet", "--no-tui", "--no-color"]
    let withPath = ["--json", "--html", "--trace", "--filmstrip", "--export-requests"]
    var words = ["cellophane"]
    var isPath = false
    for word in CommandLine.arguments.dropFirst() {
      if isPath {
        isPath = false
      } else if withPath.contains(word) {
        isPath = true
      } else if !plain.contains(word), !withPath.contains(where: { word.hasPrefix($0 + "=") }) {
        words.append(word)
      }
    }
    return ShellCommand(words).text
  }

  func configuration() throws(LoadError) -> SimulationConfiguration {
    var configuration = try read()
    try apply(to: &configuration)
    // What changes nothing here may change something where a number is swept.
    if judging.sweeps.isEmpty { try checkUse(in: configuration) }
    return configuration
  }

  /// Sets what the options say.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    try list.apply(to: &configuration)
    try checkMeaning(in: configuration)
    try scrolling.apply(to: &configuration, hasScenario: scenario != nil)
    try line.apply(to: &configuration)
    try keeping.apply(to: &configuration)
    try model.apply(to: &configuration)
    if let seed { configuration.seed = seed }
    if let replicas { configuration.replicas = replicas }
  }

  /// The scenario, or the defaults. Pictures of one's own are played in real time unless the options or it say otherwise.
  private func read() throws(LoadError) -> SimulationConfiguration {
    let time = time ?? (model.validate ? .real : nil)
    let fallback: SimulationConfiguration.Time = list.urls == nil ? .virtual : .real
    if let name = judging.suiteCase {
      guard scenario == nil, time != .real else {
        throw LoadError(.invalidRequest, "--suite-case is a scenario of its own, in virtual time")
      }
      return try Study.suiteCase(name)
    }
    guard let scenario else { return SimulationConfiguration(time: time ?? fallback) }
    if let first = scenario.first(where: { !$0.isWhitespace }), "{[".contains(first) {
      return try SimulationConfiguration(scenario: Array(scenario.utf8), time: time, otherwise: fallback)
    }
    // 1 MB: a scenario has some 50 numbers.
    let json = try FileOutput.read(scenario, limit: 1 << 20)
    return try SimulationConfiguration(scenario: json, time: time, otherwise: fallback)
  }
}

extension SimulationConfiguration.Time: Choice {}

extension Simulation.Phase {
  /// Whether a view of the run shows what happens: of real time, which plays one loader after the other, only the last.
  var isInView: Bool {
    switch self {
    case .playing, .measuring(.cellophane, _), .verifying: true
    case .preparing, .measuring: false
    }
  }

  /// What the user reads meanwhile.
  var sentence: String {
    switch self {
    case .preparing: "making the pictures ..."
    case .playing(let replicas, let duration):
      "scrolling for \(Text.duration(duration))\(replicas > 1 ? ", \(replicas) times" : "") ..."
    case .measuring(let contender, let duration):
      "scrolling for \(Text.duration(duration)) with the \(contender.title) loader ..."
    case .verifying: "comparing what was shown ..."
    }
  }
}
