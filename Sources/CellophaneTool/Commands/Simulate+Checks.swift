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
    try checkFiles()
  }

  /// The given options that replace the simulation of one list.
  private var modes: [String] {
    let modes: KeyValuePairs = [
      "--list": comparisons.listed != nil, "--requests": cacheTrace.requests != nil,
      "--calibrate": model.calibrate, "--validate": model.validate,
      "--compare": !comparisons.compare.isEmpty, "--sweep": !comparisons.sweeps.isEmpty,
      "--sensitivity": comparisons.sensitivity, "--suite": comparisons.suite != nil,
    ]
    return modes.filter(\.value).map(\.key)
  }

  /// The given options that change the simulated configuration.
  var settings: [String] { list.given + scrolling.given + network.given + loader.given + model.given }

  /// Returns the first given option without effect in `mode`; nil if all have one.
  private func unused(in mode: String?) -> String? {
    let own: KeyValuePairs<String, Any?> = [
      "the scenario": scenario, "--time": general.time, "--seed": general.seed,
      "--replicas": general.replicas,
      "--suite-case": comparisons.suiteCase, "--assert": comparisons.assertions.first, "--speed": live.speed,
      "--all": live.showsAll ? true : nil,
    ]
    let all = own.given + settings + cacheTrace.given + exports.given
    func except(_ used: Set<String>) -> String? { all.first { !used.contains($0) } }
    switch mode {
    case "--list": return except([]) ?? general.jsonPath.map { _ in "--json" }
    case "--compare": return except(["--html", "--assert", "--all"])
    case "--requests":
      // With --sizes, --memory has no effect.
      let size = cacheTrace.sizes == nil ? "--memory" : "--sizes"
      return except(["--requests-format", "--policy", "--sizes", size])
    case "--calibrate":
      return except(["the scenario", "--seed", "--layout", "--image", "--source", "--density"])
    case "--validate":
      return except(Set(settings + ["the scenario", "--seed", "--replicas", "--suite-case"]))
    case "--suite": return except(Set(settings + ["--time", "--seed", "--replicas", "--html", "--assert"]))
    case "--sweep", "--sensitivity":
      return except(
        Set(
          settings + [
            "the scenario", "--time", "--seed", "--replicas", "--suite-case", "--html", "--assert",
          ]))
    default: return cacheTrace.given.first ?? (list.allowsFiles && list.urls == nil ? "--allow-files" : nil)
    }
  }

  /// The given options for output with their files; `-` is standard output.
  var files: [(option: String, path: String)] {
    (general.jsonPath.map { [("--json", $0)] } ?? []) + exports.files
  }

  /// - Throws: `ValidationError` if two outputs have the same file, or if an output would overwrite an input.
  private func checkFiles() throws {
    for (index, (option, path)) in files.enumerated() {
      if let (other, _) = files[..<index].first(where: { Platform.areSame($0.1, path) }) {
        throw ValidationError(
          path == "-"
            ? "\(other) and \(option) both need standard output; write one of them to a file"
            : "\(other) and \(option) name the same file, \(path); choose two names")
      }
      let inputs =
        [scenario, list.urls, model.costs, cacheTrace.requests].compactMap(\.self) + comparisons.compare
      if path != "-", inputs.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(option) would overwrite its input \(path); choose another name")
      }
    }
  }
}

/// Errors about ranges, and about scenarios.
extension Simulate {
  /// The options by the field of a scenario that they set.
  private static let options = [
    "viewport.hz": "--hz", "viewport.density": "--density", "viewport.w": "the width of --viewport",
    "viewport.h": "the height of --viewport",
    "list.rows": "--rows", "list.columns": "--columns", "list.row_height_px": "--row-height",
    "list.picture[0]": "the width of --image", "list.picture[1]": "the height of --image",
    "list.image[0]": "the width of --source", "list.image[1]": "the height of --source",
    "list.progressive": "--progressive", "network.http": "--http", "network.think_ms": "--think",
    "origin.fail": "--fail", "origin.revalidate": "--revalidate", "loader.concurrency": "--concurrency",
    "duration_ms": "--duration", "replicas": "--replicas",
  ]

  /// Returns `error` with the option that the user gave instead of the field of a scenario.
  func namingOption(in error: LoadError) -> LoadError {
    guard error.kind == .invalidRequest, let range = error.message.firstRange(of: ": must be from "),
      let name = Self.options[String(error.message[..<range.lowerBound])],
      let option = name.split(separator: " ").first(where: { $0.hasPrefix("--") })
    else { return error }
    let swept = comparisons.sweeps.map { "--" + $0.prefix { $0 != "=" } }
    let given = settings + swept + (general.replicas == nil ? [] : ["--replicas"])
    guard given.contains(String(option)) else { return error }
    let limits = error.message[range.lowerBound...].dropFirst()
    return LoadError(error.kind, name + (name == "--duration" ? Self.inSeconds(limits) : String(limits)))
  }

  /// Returns `text` with its numbers, which are milliseconds, in seconds: `must be from 0.1 s to 86400 s`.
  private static func inSeconds(_ text: Substring) -> String {
    String(text).replacing(/-?[0-9][0-9.e+]*/) { match -> String in
      guard let number = Double(match.output) else { return String(match.output) }
      let seconds = "\(number / 1_000)"
      return (seconds.hasSuffix(".0") ? String(seconds.dropLast(2)) : seconds) + " s"
    }
  }

  /// Returns an `error` about a complete scenario with the name of its `file`, and with a remedy. The file has the
  /// content `text`.
  static func naming(_ file: String, in error: LoadError, about text: [UInt8]) -> LoadError {
    if let schema = try? StoredJSON.schema(of: text), schema != SimulationResult.schema {
      return LoadError(error.kind, "\(file) is a result, not a scenario")
    }
    let start = "the scenario "
    guard error.message.hasPrefix(start) else { return error }
    let name = file == "-" ? "on standard input" : file
    let remedy =
      if URLText.begins(with: text) {
        "to scroll the images of a list, use --urls \(file)"
      } else if text.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
        "correct it"
      } else {
        "name a file with a JSON object, such as {\"seed\": 1}"
      }
    return LoadError(error.kind, "\(start)\(name) \(error.message.dropFirst(start.count)); \(remedy)")
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

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an option without effect in `configuration`, to which all options
  ///   have been applied.
  func checkUse(in configuration: SimulationConfiguration) throws(LoadError) {
    func unused(_ option: String, _ reason: String) -> LoadError {
      LoadError(.invalidRequest, "\(option) does nothing with \(reason); leave it out")
    }
    let profile = configuration.gesture.profile
    if scrolling.physics != nil, !profile.isFlung {
      throw unused("--physics", "the profile \(profile.name), which has no flings")
    }
    if list.bytes != nil, case .listed(let rows) = configuration.list.pictures,
      !rows.bytes.prefix(configuration.list.rows).contains(nil)
    {
      throw unused("--bytes", "a list that contains all file sizes")
    }
    if case .one? = loader.policy, configuration.cache.memoryBytes == 0 {
      throw unused("--policy", "--memory 0, which keeps no image")
    }
    if list.progressive != nil, configuration.list.progressive > 0, !configuration.loader.previews {
      throw LoadError(
        .invalidRequest, "--progressive does nothing without --previews; leave it out, or add --previews")
    }
  }
}
