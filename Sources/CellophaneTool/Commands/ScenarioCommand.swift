internal import Cellophane
internal import CellophaneBatch
internal import CellophaneNetwork
internal import CellophaneResults

/// A command that plays a scenario, which options change.
protocol ScenarioCommand {
  /// The scenario: a file, `-` for standard input, or JSON text; nil for the defaults.
  var scenario: String? { get }
  /// The number of replicas; nil if the scenario decides.
  var replicas: Int? { get }
  var general: GeneralOptions { get }
  var list: ListOptions { get }
  var scrolling: ScrollOptions { get }
  var network: NetworkOptions { get }
  var loader: LoaderOptions { get }
  var published: SuiteCaseOptions { get }

  /// - Throws: ``LoadError/Kind/invalidRequest`` for an option or a setting that `configuration`, to which only the
  ///   options of the list have been applied, makes useless. Other options cannot give it a use.
  func checkMeaning(in configuration: SimulationConfiguration) throws(LoadError)
}

extension ScenarioCommand {
  /// Sets the given options in `configuration`.
  func applyOptions(to configuration: inout SimulationConfiguration) throws(LoadError) {
    try list.apply(to: &configuration)
    try checkMeaning(in: configuration)
    try scrolling.apply(to: &configuration, hasScenario: scenario != nil)
    try network.apply(to: &configuration)
    try loader.apply(to: &configuration)
    if let seed = general.seed { configuration.seed = seed }
    if let replicas { configuration.replicas = replicas }
  }

  /// Reads the scenario. Without one, returns that of a phone in virtual time, or the defaults in real time.
  ///
  /// - Parameters:
  ///   - time: The passage of time; nil if the scenario decides.
  ///   - fallback: The passage of time if neither decides.
  func read(
    in time: SimulationConfiguration.Time?, otherwise fallback: SimulationConfiguration.Time
  ) throws(LoadError) -> SimulationConfiguration {
    if let name = published.suiteCase {
      guard scenario == nil, time != .real else {
        let other = scenario == nil ? "--time" : "the scenario"
        throw LoadError(
          .invalidRequest, "--suite-case needs virtual time and no scenario; leave \(other) out")
      }
      return try Study.suiteCase(name)
    }
    guard let scenario else { return .toolDefaults(in: time ?? fallback) }
    if let first = scenario.first(where: { !$0.isWhitespace }), "{[".contains(first) {
      do throws(LoadError) {
        return try SimulationConfiguration(scenario: Array(scenario.utf8), time: time, otherwise: fallback)
      } catch {
        guard error.message == "the scenario is not JSON" else { throw error }
        throw LoadError(error.kind, error.message + #"; write it as in {"seed": 1}"#)
      }
    }
    let json: [UInt8]
    do throws(LoadError) {
      json = try FileIO.read(scenario, limit: ComparisonOptions.largestResult)
    } catch {
      guard NetworkProfile.presets.contains(where: { $0.name == scenario }) else { throw error }
      throw LoadError(error.kind, "\(error.message); for the network of this name, use --network \(scenario)")
    }
    do throws(LoadError) {
      return try SimulationConfiguration(scenarioOrResult: json, time: time, otherwise: fallback)
    } catch {
      throw Self.naming(scenario, in: error, about: json)
    }
  }

  /// Returns an `error` about a complete scenario with the name of its `file`, and with a remedy. The file has the
  /// content `text`.
  private static func naming(_ file: String, in error: LoadError, about text: [UInt8]) -> LoadError {
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
