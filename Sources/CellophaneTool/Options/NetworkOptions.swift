internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
internal import CellophaneResults
internal import CellophaneNetwork

/// The network of a simulation, and the behavior of its origin.
struct NetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Simulate a preset, or down=KBIT_S,up=KBIT_S,rtt=MS,loss=SHARE (rates in kbit/s), such as down=5000,rtt=80. An \
      omitted part means no rate limit, no round trip or no loss. trace:FILE,rtt=MS plays a trace in Mahimahi's format. \
      queue=MS adds a buffer of this length in front of the bottleneck, and queue=codel one that CoDel manages. \
      wake=MS delays the first transfer after ten idle seconds, or sleep=MS, as radios do. (default: phone-p50; in real time \
      wpt-lte)
      """,
      discussion: NetworkProfile.presetTexts(isModeled: true), valueName: "network"),
    completion: .list(NetworkProfile.presets.map(\.name)))
  var network: String?

  @Option(
    help: ArgumentHelp(
      """
      Use HTTP/1.1 (1), or in virtual time HTTP/2 (2) or HTTP/3 (3) over one connection; HTTP/2 of servers that ignore \
      priorities: 2-fifo, 2-roundrobin. (default: 2; in real time 1)
      """,
      valueName: "version"))
  var http: HTTPVersion?

  @Option(
    help: ArgumentHelp(
      "Spread the images over this number of hosts, each with its own connections (virtual time). (default: 1)",
      valueName: "count"))
  var origins: Int?

  @Flag(inversion: .prefixedNo, help: "Add the round trip of TLS to each new connection. (default: --tls)")
  var tls: Bool?

  @Option(
    help: ArgumentHelp("Set the median response time of the origin. (default: 30)", valueName: "ms"))
  var think: Double?

  @Option(
    help: ArgumentHelp(
      "Answer this share of the requests with 503, such as 0.5%. (default: 0)", valueName: "share"))
  var fail: String?

  @Option(
    help: ArgumentHelp(
      "Delay a share of the responses by a Pareto distribution, such as pareto:1.5,2%. (default: none)",
      valueName: "pareto:alpha,share"))
  var slowTail: String?

  @Option(
    help: ArgumentHelp(
      "Require revalidation on each use for this share of the images, such as 20%. (default: 0)",
      valueName: "share"))
  var revalidate: String?

  /// The names of the given options.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--network": network, "--http": http, "--origins": origins, "--tls": tls, "--think": think,
      "--fail": fail,
      "--slow-tail": slowTail, "--revalidate": revalidate,
    ]
    return options.given
  }

  /// Sets the given options in `configuration`.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let network { configuration.network.profile = try NetworkProfile(parsing: network) }
    configuration.network.profile = try read(configuration.network.profile)
    if let http { configuration.network.http = http }
    if let origins { configuration.network.origins = origins }
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

extension HTTPVersion: Choice {}

extension NetworkOptions {
  /// Returns `profile` with the rates of the file that its trace names.
  ///
  /// - Throws: ``LoadError`` for a file that is not a trace, with the field of the scenario if that names the file.
  private func read(_ profile: NetworkProfile) throws(LoadError) -> NetworkProfile {
    guard case .trace(let file?, nil) = profile.variation else { return profile }
    do throws(LoadError) {
      // 64 MB: ten times the largest published trace.
      let text = try FileIO.read(file, limit: 64 << 20)
      return profile.reading(try RateSchedule(mahimahi: text, name: file))
    } catch {
      guard network == nil else { throw error }
      throw LoadError(error.kind, "network.preset: " + error.message)
    }
  }
}

extension NetworkProfile {
  /// Returns the presets with their download rates and round trips, for the help; without varying rates if the network
  /// is not modeled.
  static func presetTexts(isModeled: Bool) -> String {
    let varying = isModeled ? ", and with rates that vary (vary)" : ""
    let texts = presets.filter { isModeled || $0.variation == nil }.map { "\($0.name) (\($0.limits))" }
    return """
      Presets of Lighthouse (lh), Chrome DevTools (dt) and WebPageTest (wpt)\(varying), with download rate and round \
      trip: \(texts.joined(separator: ", ")).
      """
  }
}
