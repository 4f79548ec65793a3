internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting

/// The network of a simulation, and the behavior of its origin.
struct NetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Simulate a preset, or down=KBPS,up=KBPS,rtt=MS,loss=SHARE. (default: wpt-lte)",
      discussion: NetworkProfile.presetNames, valueName: "network"),
    completion: .list(NetworkProfile.presets.map(\.name)))
  var network: String?

  @Option(
    help: ArgumentHelp(
      "Use HTTP version 1, or in virtual time 2 with one connection. (default: 1)", valueName: "version"))
  var http: Int?

  @Flag(inversion: .prefixedNo, help: "Add the round trip of TLS to each new connection. (default: --tls)")
  var tls: Bool?

  @Option(
    help: ArgumentHelp("Set the median response time of the origin. (default: 30)", valueName: "ms"))
  var think: Double?

  @Option(
    help: ArgumentHelp(
      "Answer this share of the requests with 503, such as 0.5%. (default: 0)", valueName: "percent"))
  var fail: String?

  @Option(
    help: ArgumentHelp(
      "Delay a share of the responses by a Pareto distribution, such as pareto:1.5,2%. (default: none)",
      valueName: "pareto:alpha,share"))
  var slowTail: String?

  @Option(
    help: ArgumentHelp(
      "Require revalidation on each use for this share of the images, such as 20%. (default: 0)",
      valueName: "percent"))
  var revalidate: String?

  /// The names of the given options.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--network": network, "--http": http, "--tls": tls, "--think": think, "--fail": fail,
      "--slow-tail": slowTail, "--revalidate": revalidate,
    ]
    return options.given
  }

  /// Sets the given options in `configuration`.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let network { configuration.network.profile = try NetworkProfile(parsing: network) }
    if let http { configuration.network.http = http }
    if let tls { configuration.network.tls = tls }
    if let think {
      guard let time = Duration.wholeMicroseconds(milliseconds: think) else {
        throw LoadError(.invalidRequest, "--think \(think) is not a time; write a number of milliseconds")
      }
      configuration.network.think = time
    }
    if let fail { configuration.origin.fail = try SimulationConfiguration.Origin.share(parsing: fail) }
    if let slowTail {
      configuration.origin.slowTail = try SimulationConfiguration.Origin.SlowTail(parsing: slowTail)
    }
    if let revalidate {
      configuration.origin.revalidate = try SimulationConfiguration.Origin.share(parsing: revalidate)
    }
  }
}

extension NetworkProfile {
  /// The names of all presets, for the help.
  static var presetNames: String { "Presets: " + presets.map(\.name).joined(separator: ", ") + "." }
}
