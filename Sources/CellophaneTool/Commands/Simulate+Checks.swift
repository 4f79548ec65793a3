internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneResults

/// Checks of combined options. An option without effect is an error, because its user expects an effect.
extension Simulate {
  func checkArguments() throws {
    let modes = self.modes
    guard modes.count <= 1 else {
      throw ValidationError("\(modes[0]) and \(modes[1]) are mutually exclusive; leave one out")
    }
    if let option = unused(in: modes.first) {
      throw ValidationError(
        modes.first.map { "\(option) does nothing with \($0); leave it out" }
          ?? "\(option) does nothing without \(option == "--allow-files" ? "--urls" : "--requests"); leave it out"
      )
    }
    if live.speed != nil, let plain = general.quiet ? "--quiet" : live.isPlain ? "--no-tui" : nil {
      throw ValidationError("--speed does nothing with \(plain), which draws no list; leave one out")
    }
    if live.showsAll, let reason = general.quiet ? "--quiet" : general.jsonPath == "-" ? "--json -" : nil {
      throw ValidationError("--all does nothing with \(reason), which prints no table; leave one out")
    }
    let inputs =
      [scenario, list.urls, model.costs, cacheTrace.requests].compactMap(\.self) + comparisons.compare
    try check(files, against: inputs)
  }

  /// The given options that replace the simulation of one list.
  private var modes: [String] {
    let modes: KeyValuePairs = [
      "--list": comparisons.listed != nil, "--requests": cacheTrace.requests != nil,
      "--calibrate": model.calibrate, "--validate": model.validate,
      "--compare": !comparisons.compare.isEmpty, "--sweep": !comparisons.sweeps.isEmpty,
      "--sensitivity": comparisons.sensitivity, "--suite": comparisons.suite != nil,
      "--script": tested.scriptPath != nil,
    ]
    return modes.filter(\.value).map(\.key)
  }

  /// The given options that change the simulated configuration.
  var settings: [String] { scenarioOptions + tested.given + model.given }

  /// The options that `--sweep` sets.
  var swept: [String] { comparisons.sweeps.map { "--" + $0.prefix { $0 != "=" } } }

  /// Returns the first given option without effect in `mode`; nil if all have one.
  private func unused(in mode: String?) -> String? {
    let own: KeyValuePairs<String, Any?> = [
      "the scenario": scenario, "--time": repetition.time, "--seed": general.seed,
      "--replicas": replicas,
      "--suite-case": published.suiteCase, "--assert": comparisons.assertions.first, "--speed": live.speed,
      "--all": live.showsAll ? true : nil, "--foresight": repetition.foresight ? true : nil,
    ]
    let all = own.given + settings + cacheTrace.given + exports.given
    func except(_ used: Set<String>) -> String? { all.first { !used.contains($0) } }
    switch mode {
    case "--list": return except([]) ?? general.jsonPath.map { _ in "--json" }
    case "--script":
      return except(Set(settings + ["the scenario", "--time", "--seed", "--suite-case"]))
        ?? general.jsonPath.map { _ in "--json" }
    case "--compare": return except(["--html", "--assert", "--all"])
    case "--requests":
      // With --sizes, --memory has no effect.
      let size = cacheTrace.sizes == nil ? "--memory" : "--sizes"
      return except(["--requests-format", "--policy", "--sizes", size])
    case "--calibrate":
      return except(["the scenario", "--seed", "--layout", "--image", "--source", "--density"])
    case "--validate":
      return except(Set(settings + ["the scenario", "--seed", "--replicas", "--suite-case"]))
    case "--suite":
      return except(Set(settings + ["--time", "--seed", "--replicas", "--foresight", "--html", "--assert"]))
    case "--sweep", "--sensitivity":
      return except(
        Set(
          settings + [
            "the scenario", "--time", "--seed", "--replicas", "--foresight", "--suite-case", "--html",
            "--assert",
          ]))
    default: return cacheTrace.given.first ?? (list.allowsFiles && list.urls == nil ? "--allow-files" : nil)
    }
  }

  /// The given options for output with their files; `-` is standard output.
  var files: [(option: String, path: String)] {
    (general.jsonPath.map { [("--json", $0)] } ?? []) + exports.files
      + (tested.scriptPath.map { [("--script", $0)] } ?? [])
  }
}

/// Checks against the configuration, which includes the scenario.
extension Simulate {
  /// - Throws: ``LoadError/Kind/invalidRequest`` for an option without effect in `configuration`, to which only the
  ///   options of the list have been applied. Other options cannot give it an effect.
  func checkMeaning(in configuration: SimulationConfiguration) throws(LoadError) {
    if configuration.time == .real,
      let option = model.givenForVirtualTime.first ?? live.speed.map({ _ in "--speed" })
    {
      throw LoadError(.invalidRequest, "\(option) does nothing in real time; leave it out")
    }
    if case .own = configuration.list.pictures, let option = (network.given + list.givenForGenerated).first {
      let advice = option == "--repeat" ? "" : ", or use a list with heights and --time virtual"
      throw LoadError(.invalidRequest, "\(option) does nothing with --urls; leave it out\(advice)")
    }
  }

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an option without effect in all of `configurations`.
  func checkUse(in configurations: [SimulationConfiguration]) throws(LoadError) {
    var first: LoadError?
    for configuration in configurations {
      do throws(LoadError) { return try checkUse(in: configuration) } catch { first = first ?? error }
    }
    if let first { throw first }
  }
}
