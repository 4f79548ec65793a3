internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneResults

extension ScenarioCommand {
  /// The names of the given options that change the scenario.
  var scenarioOptions: [String] { list.given + scrolling.given + network.given + loader.given }

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
    if let rules = configuration.loader.name.rules {
      if case .one? = loader.policy {
        throw unused("--policy", "the rules of \(rules.version), which have their own order of eviction")
      }
      if loader.previews == true { throw unused("--previews", "the rules of \(rules.version)") }
    }
    if case .one? = loader.policy, configuration.cache.memoryBytes == 0 {
      throw unused("--policy", "--memory 0, which keeps no image")
    }
    if list.progressive != nil, configuration.list.progressive > 0, !configuration.loader.previews {
      throw LoadError(
        .invalidRequest, "--progressive does nothing without --previews; leave it out, or add --previews")
    }
  }

  /// Checks the files of `outputs`, each with its option; `-` is standard output.
  ///
  /// - Throws: `ValidationError` if two outputs have the same file, or if an output would overwrite one of `inputs`.
  func check(_ outputs: [(option: String, path: String)], against inputs: [String]) throws {
    for (index, (option, path)) in outputs.enumerated() {
      if let (other, _) = outputs[..<index].first(where: { Platform.areSame($0.1, path) }) {
        throw ValidationError(
          path == "-"
            ? "\(other) and \(option) both need standard output; write one of them to a file"
            : "\(other) and \(option) name the same file, \(path); choose two names")
      }
      if path != "-", inputs.contains(where: { Platform.areSame($0, path) }) {
        throw ValidationError("\(option) would overwrite its input \(path); choose another name")
      }
    }
  }

  /// Returns `error` with the option that the user gave, one of `given`, instead of the field of a scenario.
  func namingOption(in error: LoadError, given: [String]) -> LoadError {
    guard error.kind == .invalidRequest, let range = error.message.firstRange(of: ": must be from "),
      let name = optionsByField[String(error.message[..<range.lowerBound])],
      let option = name.split(separator: " ").first(where: { $0.hasPrefix("--") })
    else { return error }
    guard given.contains(String(option)) || option == "--replicas" && replicas != nil else { return error }
    let limits = error.message[range.lowerBound...].dropFirst()
    return LoadError(error.kind, name + (name == "--duration" ? inSeconds(limits) : String(limits)))
  }
}

/// The options by the field of a scenario that they set.
private let optionsByField = [
  "viewport.hz": "--hz", "viewport.density": "--density", "viewport.w": "the width of --viewport",
  "viewport.h": "the height of --viewport",
  "list.rows": "--rows", "list.columns": "--columns", "list.row_height_px": "--row-height",
  "list.picture[0]": "the width of --image", "list.picture[1]": "the height of --image",
  "list.image[0]": "the width of --source", "list.image[1]": "the height of --source",
  "list.progressive": "--progressive", "list.animated": "--animated", "network.http": "--http",
  "network.think_ms": "--think",
  "network.origins": "--origins",
  "origin.fail": "--fail", "origin.revalidate": "--revalidate", "loader.concurrency": "--concurrency",
  "duration_ms": "--duration", "replicas": "--replicas",
]

/// Returns `text` with its numbers, which are milliseconds, in seconds: `must be from 0.1 s to 86400 s`.
private func inSeconds(_ text: Substring) -> String {
  String(text).replacing(/-?[0-9][0-9.e+]*/) { match -> String in
    guard let number = Double(match.output) else { return String(match.output) }
    let seconds = "\(number / 1_000)"
    return (seconds.hasSuffix(".0") ? String(seconds.dropLast(2)) : seconds) + " s"
  }
}
