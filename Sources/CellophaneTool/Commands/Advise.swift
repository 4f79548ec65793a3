internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneReport
internal import CellophaneSimulation

/// `cellophane advise`
struct Advise: AsyncParsableCommand, CheckedCommand, ScenarioCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise",
    abstract: "Recommend a prefetch policy, a memory size and a concurrency for a scenario.",
    discussion: """
      The tool simulates the scenario in virtual time with none, 4 to 32 rows ahead, rows:8,2.5, screens:2.5,1.5 (asdk), landing and the \
      configured policy. It compares the best of them under variations: other readers, iOS and Android physics, \
      HTTP/1.1 and 2, and half and double of the rate, of the round trip and of the file sizes. It recommends the policy \
      with the least mean regret: the blank share above the lowest one under the same conditions. If several are within \
      0.1 points, the fewest bytes decide.

      With that policy it tries sizes of the memory cache and numbers of concurrent transfers. It then compares the \
      recommended with the configured settings under new seeds. Equal options give equal results.

      The exit code is 3 if an invariant is broken, as in simulate, and 1 if no image was shown.

      Examples:
        cellophane advise --layout cards --network lh-slow4g --profile browser
        cellophane advise scenario.json --json advice.json
        cellophane advise --urls rows.csv --network down=8000,rtt=60
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Read settings from this JSON file, also from a result of simulate --json, from standard input ('-'), or from JSON \
      text. Options override them.
      """,
      valueName: "scenario"),
    completion: .file())
  var scenario: String?

  @OptionGroup(title: "Run") var general: GeneralOptions
  @OptionGroup(title: "Run") var repetition: AdviceReplicas
  @OptionGroup(title: "Run") var published: SuiteCaseOptions
  @OptionGroup(title: "List") var list: ListOptions
  @OptionGroup(title: "Scrolling") var scrolling: ScrollOptions
  @OptionGroup(title: "Network and origin") var network: NetworkOptions
  @OptionGroup(title: "Caches and prefetching") var loader: LoaderOptions

  /// The number of replicas; nil if the scenario decides.
  var replicas: Int? { repetition.replicas }

  func checkArguments() throws {
    if list.allowsFiles, list.urls == nil {
      throw ValidationError("--allow-files does nothing without --urls; leave it out")
    }
    try check(
      general.jsonPath.map { [("--json", $0)] } ?? [], against: [scenario, list.urls].compactMap(\.self))
  }

  func run() async throws {
    let (jsonPath, quiet) = (general.jsonPath, general.quiet)
    do {
      if let jsonPath, jsonPath != "-" { try FileIO.checkWritable(jsonPath) }
      let configuration = try configuration()
      var advice = try await Interruption().runCancellable {
        try await Advice.run(on: configuration) { step in
          if !quiet { Output.note(step.sentence) }
        }
      }
      advice.reproduce = RepeatingCommand().text
      advice.command = command(for: advice)
      if let jsonPath { try FileIO.write(advice.json(), to: jsonPath) }
      if !quiet, jsonPath != "-" { try Output.bytes(Array(advice.table().utf8).span) }
      if !advice.broken.isEmpty { throw Failure.invariantBroken(advice.broken) }
      if advice.candidates.allSatisfy({ $0.numbers.blank == 1 }) {
        throw Failure(
          .failed, kind: "nothing-shown", "no image was shown with any policy; check --fail and the network")
      }
    } catch let error as LoadError {
      throw Failure(
        namingOption(in: error, given: scenarioOptions), json: jsonPath == "-",
        kept: "the advice needs all simulations, so no result is written")
    }
  }

  /// Returns the configuration of the scenario and the options.
  func configuration() throws(LoadError) -> SimulationConfiguration {
    var configuration = try read(in: nil, otherwise: .virtual)
    try applyOptions(to: &configuration)
    try checkUse(in: configuration)
    return configuration
  }

  func checkMeaning(in configuration: SimulationConfiguration) throws(LoadError) {
    guard configuration.time == .virtual else {
      throw LoadError(
        .invalidRequest, "advise needs virtual time, and the scenario sets real time; change its field time")
    }
    guard configuration.loader.name == .cellophane else {
      throw LoadError(
        .invalidRequest,
        "advise compares settings of this library; leave the field loader.name of the scenario out")
    }
    if let urls = list.urls, configuration.list.isOwn {
      throw LoadError(
        .invalidRequest,
        "--urls: \(urls) has no heights; write lines of url,height or url,height,bytes, or give an HTTP archive"
      )
    }
  }

  /// Returns the command that plays the recommended settings.
  private func command(for advice: Advice) -> String {
    var options: [(option: String, value: String)] = []
    if advice.recommended != advice.config.loader.prefetch {
      options.append(("--prefetch", advice.recommended.name))
    }
    if advice.memory.recommended != advice.memory.configured {
      options.append(("--memory", ByteCount(bytes: advice.memory.recommended).defaultValueDescription))
    }
    if advice.concurrency.recommended != advice.concurrency.configured {
      options.append(("--concurrency", "\(advice.concurrency.recommended)"))
    }
    // The gain is that of these seeds.
    if let confirmation = advice.confirmation { options.append(("--seed", "\(confirmation.seed)")) }
    // Without it, simulate would load the URLs in real time.
    if list.urls != nil { options.append(("--time", "virtual")) }
    return RepeatingCommand().changed(to: "simulate", options).text
  }
}

/// The repetition of the simulations of an advice.
struct AdviceReplicas: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Compare the recommended with the configured settings under this many seeds; choose with a quarter as many, \
      beginning with --seed, and under variations with a seventh. (default: 20)
      """, valueName: "n"))
  var replicas: Int?
}

extension AdviceStep {
  /// The progress message before the step.
  fileprivate var sentence: String {
    let name =
      switch stage {
      case .policies: "policy"
      case .variations: "variation"
      case .memory: "memory"
      case .concurrency: "concurrency"
      case .robustness: "condition"
      case .confirmation: "confirmation"
      }
    return "\(name) \(index + 1) of \(count): \(title) ..."
  }
}
