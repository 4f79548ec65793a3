internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting

/// The line of a simulation, and the origin at its end.
struct LineOptions: ParsableArguments {
  @Option(help: "The line: a preset, or down=KBPS,up=KBPS,rtt=MS,loss=SHARE. [default: wpt-lte]")
  var network: String?

  @Option(help: "The version of HTTP: 1, or in virtual time 2, all over one connection. [default: 1]")
  var http: Int?

  @Flag(inversion: .prefixedNo, help: "A connection begins with TLS's round trip too. [default: tls]")
  var tls: Bool?

  @Option(help: "How long the origin thinks before half of its answers, in ms. [default: 30]")
  var think: Double?

  @Option(help: "The share of requests that the origin answers with 503, such as 0.5%. [default: 0]")
  var fail: String?

  @Option(help: "Answers that take longer: pareto:ALPHA,SHARE such as pareto:1.5,2%. [default: none]")
  var slowTail: String?

  @Option(help: "The share of pictures that a cache must ask about each time, such as 20%. [default: 0]")
  var revalidate: String?

  /// Those that were given.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--network": network, "--http": http, "--tls": tls, "--think": think, "--fail": fail,
      "--slow-tail": slowTail, "--revalidate": revalidate,
    ]
    return options.given
  }

  /// Sets what they say.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let network { configuration.network.profile = try NetworkProfile(parsing: network) }
    if let http { configuration.network.http = http }
    if let tls { configuration.network.tls = tls }
    if let think {
      guard let time = Duration.wholeMicroseconds(milliseconds: think) else {
        throw LoadError(.invalidRequest, "--think: \(think) is no time in ms")
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
