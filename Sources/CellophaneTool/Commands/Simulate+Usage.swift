internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// Which options make sense together: one that would change nothing is refused, since who wrote it thinks that it did.
extension Simulate {
  func validate() throws {
    let modes = self.modes
    guard modes.count <= 1 else { throw ValidationError("\(modes[0]) and \(modes[1]) exclude each other") }
    if let idle = idle(in: modes.first) {
      throw ValidationError(
        modes.first.map { "\(idle) does nothing with \($0); leave it out" }
          ?? "\(idle) does nothing without \(idle == "--allow-files" ? "--urls" : "--requests"); leave it out"
      )
    }
    if live.speed != nil, let still = quiet ? "--quiet" : live.isPlain ? "--no-tui" : nil {
      throw ValidationError("--speed does nothing with \(still), which shows no picture; leave one out")
    }
    try checkFiles()
  }

  /// What is to be done instead of playing one list, by the options that ask for it.
  private var modes: [String] {
    let modes: KeyValuePairs = [
      "--requests": played.requests != nil, "--calibrate": model.calibrate, "--validate": model.validate,
      "--compare": !judging.compare.isEmpty, "--sweep": !judging.sweeps.isEmpty,
      "--sensitivity": judging.sensitivity, "--suite": judging.suite != nil,
    ]
    return modes.filter(\.value).map(\.key)
  }

  /// The options that were given and say what is played.
  var settings: [String] { list.given + scrolling.given + line.given + keeping.given + model.given }

  /// The first option that was given and changes nothing in `mode`; nil when there is none.
  private func idle(in mode: String?) -> String? {
    let here: KeyValuePairs<String, Any?> = [
      "the scenario": scenario, "--time": time, "--seed": seed, "--replicas": replicas,
      "--suite-case": judging.suiteCase, "--assert": judging.assertions.first, "--speed": live.speed,
    ]
    let own = here.given
    let all = own + settings + played.given + records.given
    func but(_ used: Set<String>) -> String? { all.first { !used.contains($0) } }
    switch mode {
    case "--compare": return but([])
    case "--requests":
      // What the sizes of a cache are is said once.
      let size = played.sizes == nil ? "--memory" : "--sizes"
      return but(["--requests-format", "--policy", "--sizes", size])
    case "--calibrate": return but(["the scenario", "--seed", "--layout", "--image", "--source"])
    case "--validate":
      return but(Set(settings + ["the scenario", "--seed", "--replicas", "--suite-case"]))
    case "--suite": return but(Set(settings + ["--time", "--seed", "--replicas", "--html"]))
    case "--sweep", "--sensitivity":
      return but(
        Set(settings + ["the scenario", "--time", "--seed", "--replicas", "--suite-case", "--html"]))
    default: return played.given.first ?? (list.allowsFiles && list.urls == nil ? "--allow-files" : nil)
    }
  }

  /// - Throws: when a file would be written twice, or over what is read.
  private func checkFiles() throws {
    let files = (jsonPath.map { [("--json", $0)] } ?? []) + records.files
    for (index, (option, path)) in files.enumerated() {
      if let (other, _) = files[..<index].first(where: { Platform.areSame($0.1, path) }) {
        throw ValidationError(
          path == "-"
            ? "\(other) and \(option) both want standard output; give one of them a file"
            : "\(other) and \(option) name the same file, \(path); give each its own")
      }
      let read = [scenario, list.urls, model.costs, played.requests].compactMap(\.self) + judging.compare
      if path != "-", read.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(option) would write over \(path), which is read; choose another name")
      }
    }
  }
}

/// What an option does depends on what is played with it, the scenario included.
extension Simulate {
  /// - Throws: for an option that changes nothing where `configuration` is played, whatever the others say.
  func checkMeaning(in configuration: SimulationConfiguration) throws(LoadError) {
    if configuration.time == .real,
      let idle = model.givenForVirtualTime.first ?? live.speed.map({ _ in "--speed" })
    {
      throw LoadError(.invalidRequest, "\(idle) does nothing in real time; leave it out")
    }
    if case .own = configuration.list.pictures, let idle = (line.given + list.givenForGenerated).first {
      throw LoadError(.invalidRequest, "\(idle) does nothing with --urls; leave it out")
    }
  }

  /// - Throws: for an option that changes nothing in any of `configurations`.
  func checkUse(in configurations: [SimulationConfiguration]) throws(LoadError) {
    var first: LoadError?
    for configuration in configurations {
      do throws(LoadError) { return try checkUse(in: configuration) } catch { first = first ?? error }
    }
    if let first { throw first }
  }

  /// - Throws: for an option that changes nothing in `configuration`, which has all that options say.
  func checkUse(in configuration: SimulationConfiguration) throws(LoadError) {
    func refused(_ option: String, _ reason: String) -> LoadError {
      LoadError(.invalidRequest, "\(option) does nothing with \(reason); leave it out")
    }
    let profile = configuration.gesture.profile
    if scrolling.physics != nil, !profile.isFlung {
      throw refused("--physics", "the profile \(profile.name), where nothing is flung")
    }
    if list.bytes != nil, case .listed(let rows) = configuration.list.pictures,
      !rows.bytes.prefix(configuration.list.rows).contains(nil)
    {
      throw refused("--bytes", "a list that tells how large every file is")
    }
    if case .one? = keeping.policy, configuration.cache.memoryBytes == 0 {
      throw refused("--policy", "--memory 0, which keeps nothing")
    }
    if list.progressive != nil, configuration.list.progressive > 0, !configuration.loader.previews {
      throw LoadError(
        .invalidRequest, "--progressive does nothing without --previews; leave it out, or add that")
    }
  }
}
