internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

extension ComparisonOptions {
  /// Returns the study of `--suite`, `--sensitivity` or `--sweep`; nil for a single configuration.
  ///
  /// - Parameter simulate: The command with the options of all cases.
  func study(of simulate: Simulate) throws(LoadError) -> Study? {
    if let suite {
      return try Study(suite: suite) { one throws(LoadError) in
        try simulate.apply(to: &one)
        try simulate.checkUse(in: one)
      }
    }
    guard sensitivity || !sweeps.isEmpty else { return nil }
    let base = try simulate.configuration()
    if sensitivity { return Study(sensitivityOf: base) }
    var parameters: [(name: String, values: [String])] = []
    for sweep in sweeps {
      parameters.append(
        try Self.parameter(sweep) { name, value in
          var one = base
          return (try? Self.option(name, value).apply(to: &one)) != nil
        })
    }
    let names = parameters.map(\.name)
    guard Set(names).count == names.count else {
      throw LoadError(
        .invalidRequest, "--sweep is given twice for one option; give all values of the option together")
    }
    if let unused = names.first(where: { simulate.settings.contains("--" + $0) }) {
      throw LoadError(
        .invalidRequest,
        "--\(unused) does nothing with --sweep \(unused), which sets its values; leave it out")
    }
    let study = try Study(sweeping: parameters) { values throws(LoadError) in
      var one = base
      for (name, value) in zip(names, values) { try Self.option(name, value).apply(to: &one) }
      return one
    }
    var used = [simulate]
    for (name, values) in parameters { used.append(try Self.option(name, values[0])) }
    for one in used { try one.checkUse(in: study.cases.map(\.configuration)) }
    var cases: [SimulationConfiguration: Int] = [:]
    for (index, one) in study.cases.enumerated() {
      guard let same = cases.updateValue(index, forKey: one.configuration) else { continue }
      throw LoadError(
        .invalidRequest,
        "the cases '\(study.caseTitle(same))' and '\(study.caseTitle(index))' of the sweep are the same; give each "
          + "value once")
    }
    return study
  }

  /// Returns the name and the values in `sweep`. `isValue` returns whether an option accepts a value.
  private static func parameter(
    _ sweep: String, isValue: (_ name: String, _ value: String) -> Bool
  ) throws(LoadError) -> (name: String, values: [String]) {
    let parts = sweep.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let separator: Character = sweep.contains(";") ? ";" : ","
    let values = parts.dropFirst().first?.split(separator: separator).map(String.init) ?? []
    guard parts.count == 2, !values.isEmpty else {
      throw LoadError(.invalidRequest, "'\(sweep)' is not a sweep; write it as OPTION=VALUE,VALUE")
    }
    // The options for the execution and the output, which do not change the simulated configuration.
    let others = [
      "time", "seed", "replicas", "urls", "requests", "json", "html", "trace", "filmstrip", "export-requests",
      "export-run", "script",
      "speed", "assert", "compare", "sweep", "suite", "suite-case",
    ]
    guard !others.contains(String(parts[0])) else {
      throw notSweepable(String(parts[0]))
    }
    let name = String(parts[0])
    if separator == "," {
      try checkCommas(between: values, of: name) { isValue(name, $0) }
    } else {
      try checkCommas(in: values, of: name) { isValue(name, $0) }
    }
    return (name, values)
  }

  /// - Throws: ``LoadError/Kind/invalidRequest`` if a comma between two of `values` could also be a part of one value.
  private static func checkCommas(
    between values: [String], of name: String, isValue: (String) -> Bool
  ) throws(LoadError) {
    for (one, next) in zip(values, values.dropFirst()) {
      // Only values with such a character contain commas.
      guard (one + next).contains(where: { "=:".contains($0) }), isValue(one + "," + next) else { continue }
      throw LoadError(
        .invalidRequest,
        "--sweep \(name): '\(one),\(next)' may be one value or two; separate values by ';', such as "
          + "'\(name)=VALUE;\(one),\(next)'")
    }
  }

  /// - Throws: ``LoadError/Kind/invalidRequest`` if one of `values`, which are separated by semicolons, is a list.
  private static func checkCommas(
    in values: [String], of name: String, isValue: (String) -> Bool
  ) throws(LoadError) {
    for value in values where value.contains(",") && !isValue(value) {
      guard value.split(separator: ",").allSatisfy({ isValue(String($0)) }) else { continue }
      throw LoadError(
        .invalidRequest,
        "--sweep \(name): '\(value)' is not one value; separate all values by ';', without ','")
    }
  }

  /// Returns the command with only this option.
  private static func option(_ name: String, _ value: String) throws(LoadError) -> Simulate {
    let one: Simulate
    do {
      let parsed = try Simulate.parse(["--" + name, value])
      // A flag takes no value. The value is then the scenario.
      one = parsed.scenario == nil ? parsed : try Simulate.parse([try flag(name, value)])
    } catch {
      let message = ValueForm.completing(Simulate.message(for: error))
      guard !message.hasPrefix("Unknown option '--\(name)'") else {
        throw LoadError(
          .invalidRequest,
          "--sweep \(name): simulate has no option '--\(name)'; sweep one such as memory, prefetch or network"
        )
      }
      throw LoadError(
        .invalidRequest, "--sweep \(name): \(message.prefix(1).lowercased() + message.dropFirst())")
    }
    guard !one.settings.isEmpty else { throw notSweepable(name) }
    return one
  }

  private static func flag(_ name: String, _ value: String) throws -> String {
    switch value {
    case "yes": "--" + name
    case "no": "--no-" + name
    default: throw ValidationError("the value '\(value)' is neither yes nor no")
    }
  }

  private static func notSweepable(_ name: String) -> LoadError {
    LoadError(.invalidRequest, "--sweep cannot vary '\(name)'; use an option of the list, network or loader")
  }
}
