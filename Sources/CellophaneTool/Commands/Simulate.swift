public import ArgumentParser
internal import Cellophane
public import CellophaneSimulation
internal import CellophaneTesting

/// `cellophane simulate`
struct Simulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scroll a list through the real loader and measure what a viewer sees.",
    discussion: """
      The list is scrolled twice by the same gestures, with a naive loader and with Cellophane. In virtual \
      time the loaders run on one thread over a model of the line, of the disk and of decoding: a minute of \
      scrolling takes a moment, and the same options give the same run, told by its fingerprint. In real \
      time an embedded origin serves pictures whose pixels carry their row number, over the line of a network \
      preset, and what each slot shows is read back from its pixels. The exit code is 3 when Cellophane showed \
      a wrong image, had two transfers of one picture in flight, left something over or let a slot wait for \
      ever, 1 when loads failed and no picture was shown.
      """)

  @Argument(
    help:
      "A scenario: a JSON file, - for standard input, or the JSON itself. Options say what is different from it."
  )
  var scenario: String?

  @Option(
    help:
      "virtual: a model, the same each time; real: sockets, files, clocks. [default: virtual, with --urls real]"
  )
  var time: SimulationConfiguration.Time?

  @Option(
    help:
      "The kind of list, of which the sizes below are: rows, thumbnails, cards, grid, mixed (heights differ) or sections. [default: rows]"
  )
  var layout: ListKind?

  @Option(help: "How many rows the list has. [default: 1000, or one for each of --urls]")
  var rows: Int?

  @Option(help: "How many rows lie side by side. [default: 1]")
  var columns: Int?

  @Option(help: "The height of a row, in px. [default: 120]")
  var rowHeight: Int?

  @Option(help: "The size at which a row shows its picture, WIDTHxHEIGHT. [default: 112x112]")
  var image: PixelSize?

  @Option(help: "The size of the generated pictures, WIDTHxHEIGHT. [default: 320x320]")
  var source: PixelSize?

  @Option(
    help:
      "How large the generated files are in virtual time: lognormal:BYTES,SIGMA such as lognormal:60k,0.6, or bpp:BITS,SIGMA for bits a pixel. [default: generated, as measured]"
  )
  var bytes: String?

  @Option(
    name: .customLong("repeat"),
    help: "Rows share pictures, as those of authors: zipf:EXPONENT,PICTURES such as zipf:0.8,100.")
  var repetition: String?

  @Option(help: "The visible part of the list, WIDTHxHEIGHT. [default: 412x823]")
  var viewport: PixelSize?

  @Option(
    help:
      "Who scrolls: reader, browser, skimmer, stress, constant:PX_PER_S, or log:FILE, a recording with lines of T_MS,OFFSET_PX. [default: skimmer]"
  )
  var profile: String?

  @Option(help: "How the list moves after the finger left it. [default: ios]")
  var physics: ScrollPhysics?

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

  @Option(help: "The memory cache, such as 4MB. [default: 2 MiB]")
  var memory: ByteCount?

  @Option(help: "The disk cache, such as 100MB. [default: 256 MiB]")
  var disk: ByteCount?

  @Option(
    help:
      "What the memory cache gives up first: \(EvictionRule.names), or with --requests all. [default: lru]")
  var policy: PolicyChoice?

  @Option(
    help:
      """
      What is loaded before it comes in: none, rows:N (or glide:N, or N), screens:LEADING,TRAILING, asdk, compose, \
      flutter, deadline or landing. [default: rows:8]
      """
  )
  var prefetch: String?

  @Option(help: "Frames a second. [default: 60]")
  var hz: Int?

  @Option(
    help:
      "How long each loader is scrolled, in seconds. [default: 60, in real time 15, with log:FILE as long as that]"
  )
  var duration: Double?

  @Option(help: "What every gesture and picture depends on. [default: 1]")
  var seed: UInt64?

  @Option(
    help: "How many times it is played, with the seed and those after it. [default: 20, in real time 1]")
  var replicas: Int?

  @Option(help: "A file with the URLs of your own pictures, one a row.")
  var urls: String?

  @Flag(name: .customLong("allow-files"), help: "Allow file: URLs in --urls.")
  var allowsFiles = false

  @Option(
    help:
      "Instead of a list, play this file of requests to a cache against --policy, and against what no cache beats; - is standard input."
  )
  var requests: String?

  @Option(
    help:
      "The format of --requests: webcachesim, csv:id=2,size=3 (columns), txt, oracleGeneral or twitter. [default: what it looks like]"
  )
  var requestsFormat: String?

  @Option(
    help:
      "Sizes of the cache for --requests: bytes, or shares of all that is asked for. [default: --memory, or 1%,10%]"
  )
  var sizes: CacheSizes?

  @OptionGroup var judging: JudgingOptions

  @Option(name: .customLong("json"), help: "Where the result is written as JSON; '-' is standard output.")
  var jsonPath: String?

  @Option(
    help:
      "In virtual time, model: files have no pixels; real: they are decoded, in modelled time. [default: model]"
  )
  var decode: SimulationConfiguration.Decoding.Mode?

  @Option(help: "A file with the costs of decoding in virtual time, as --calibrate writes it.")
  var costs: String?

  @Flag(help: "Measure what decoding costs on this machine, and play nothing; --json writes it for --costs.")
  var calibrate = false

  @Flag(help: "Play over real sockets and in virtual time, and tell how far the model of the line is off.")
  var validate = false

  @OptionGroup var records: RecordOptions
  @OptionGroup var live: LiveOptions

  @Flag(help: "Print no table and no progress.")
  var quiet = false

  func run() async throws {
    do {
      if let requests { return try await compare(requests) }
      if calibrate { return try await printCosts() }
      if let comparison = try judging.comparison() {
        if let jsonPath { try FileOutput.write(comparison.json(), to: jsonPath) }
        if !quiet, jsonPath != "-" {
          try Output.bytes(Array(comparison.table(judging.compare).utf8).span)
        }
        return
      }
      if let study = try judging.study(of: self) {
        try await run(study)
        return
      }
      let assertions = try judging.parsed()
      let simulation = try Simulation(try configuration())
      if validate { return try await printValidation(of: simulation) }
      let view = quiet ? nil : live.view(of: simulation.configuration)
      let showsPhases = !quiet && view == nil
      var attention = records.attention(withJSON: jsonPath != nil)
      view?.watch(&attention)
      defer { view?.end() }
      var result = try await Interruption().cancels { [attention] in
        try await simulation.run(attention) { phase in
          if showsPhases { Output.note(phase.sentence) }
        }
      }
      view?.end()
      // Only the command line knows the name of a list.
      if result.reproduce == nil { result.reproduce = Self.reproduction }
      result.assertions = assertions.map { $0.checked(on: result.metrics.run) }
      if let jsonPath { try FileOutput.write(result.json(), to: jsonPath) }
      try records.write(result)
      if !quiet, jsonPath != "-", !records.takesOutput { try Output.bytes(Array(result.table().utf8).span) }
      switch result.verdict {
      case .played:
        if result.assertions.contains(where: { !$0.pass }) { throw Failure(reported: .assertionFailed) }
      case .failed: throw Failure(reported: .failed)
      case .invariantBroken: throw Failure(reported: .invariantBroken)
      }
    } catch let error as LoadError {
      throw Failure(error, json: jsonPath == "-")
    }
  }

  private func run(_ study: Study) async throws {
    let showsCases = !quiet
    let result = try await Interruption().cancels {
      try await study.run { index in
        if showsCases {
          Output.note(
            "\(index + 1) of \(study.cases.count): \(study.cases[index].values.joined(separator: " ")) ...")
        }
      }
    }
    if let jsonPath { try FileOutput.write(result.json(), to: jsonPath) }
    if !quiet, jsonPath != "-" { try Output.bytes(Array(result.table().utf8).span) }
    if !result.broken.isEmpty { throw Failure(reported: .invariantBroken) }
  }

  /// The command that plays this again.
  private static var reproduction: String {
    ShellCommand(["cellophane"] + CommandLine.arguments.dropFirst()).text
  }

  func configuration() throws(LoadError) -> SimulationConfiguration {
    var configuration = try read()
    try apply(to: &configuration)
    return configuration
  }

  /// Sets what the options say.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let layout { configuration.list.layout = layout }
    if let rows { configuration.list.rows = rows }
    if let columns { configuration.list.columns = columns }
    if let bytes { configuration.list.bytes = try FileSizes(parsing: bytes) }
    if let repetition { configuration.list.repeated = try RepeatedPictures(parsing: repetition) }
    if let rowHeight { configuration.list.rowHeight = rowHeight }
    if let image { configuration.list.picture = image }
    if let source { configuration.list.image = source }
    if let viewport { configuration.viewport.size = viewport }
    if let hz { configuration.viewport.refreshRate = hz }
    if let profile { configuration.gesture.profile = try ScrollProfile(parsing: profile) }
    if let physics { configuration.gesture.physics = physics }
    if let network { configuration.network.profile = try NetworkProfile(parsing: network) }
    if let http { configuration.network.http = http }
    if let tls { configuration.network.tls = tls }
    if let think { configuration.network.think = Self.duration(milliseconds: think) }
    if let fail { configuration.origin.fail = try SimulationConfiguration.Origin.share(parsing: fail) }
    if let slowTail {
      configuration.origin.slowTail = try SimulationConfiguration.Origin.SlowTail(parsing: slowTail)
    }
    if let revalidate {
      configuration.origin.revalidate = try SimulationConfiguration.Origin.share(parsing: revalidate)
    }
    if let memory { configuration.cache.memoryBytes = memory.bytes }
    if let disk { configuration.cache.diskBytes = disk.bytes }
    switch policy {
    case nil: break
    case .one(let rule): configuration.cache.policy = rule
    case .all: throw LoadError(.invalidRequest, "--policy all is for --requests; a list has one cache")
    }
    if let prefetch { configuration.loader.prefetch = try PrefetchRule(parsing: prefetch) }
    if case .log(let log) = configuration.gesture.profile {
      // 64 MB: as many samples as a log may have.
      let log = try ScrollLog(name: log.name, csv: try FileOutput.read(log.name, limit: 64 << 20))
      configuration.gesture.profile = .log(log)
      if scenario == nil {
        let durations = SimulationConfiguration.durations(in: configuration.time)
        configuration.duration = min(max(log.duration, durations.lowerBound), durations.upperBound)
      }
    }
    if let duration { configuration.duration = Self.duration(milliseconds: (duration * 1_000).rounded()) }
    if let seed { configuration.seed = seed }
    if let replicas { configuration.replicas = replicas }
    if let decode { configuration.decoding.mode = decode }
    if let costs {
      // 1 MB, as for any scenario.
      let measured = try SimulationConfiguration(scenario: FileOutput.read(costs, limit: 1 << 20)).decoding
      configuration.decoding.png = measured.png
      configuration.decoding.jpeg = measured.jpeg
    }
    if let urls {
      // 64 MB: half a million URLs of ordinary length, more rows than a list that one scrolls.
      let text = String(decoding: try FileOutput.read(urls, limit: 64 << 20), as: UTF8.self)
      let list = text.split(whereSeparator: \.isNewline).map {
        String($0.filter { !$0.isWhitespace })
      }.filter { !$0.isEmpty }
      for url in list { try TransferOptions.check(url, allowsFiles: allowsFiles) }
      configuration.list.pictures = .own(list, allowsFiles: allowsFiles)
      if rows == nil { configuration.list.rows = list.count }
    }
  }

  /// A duration in whole µs. What is no number of them is out of the range that the simulation checks.
  private static func duration(milliseconds: Double) -> Duration {
    .microseconds(Int64(exactly: (milliseconds * 1_000).rounded()) ?? -1)
  }

  /// The scenario, or the defaults. Pictures of one's own are played in real time unless the options say otherwise.
  private func read() throws(LoadError) -> SimulationConfiguration {
    let time = time ?? (urls == nil && !validate ? nil : .real)
    if let name = judging.suiteCase {
      guard scenario == nil, time != .real else {
        throw LoadError(.invalidRequest, "--suite-case is a scenario of its own, in virtual time")
      }
      return try Study.suiteCase(name)
    }
    guard let scenario else { return SimulationConfiguration(time: time ?? .virtual) }
    if scenario.drop(while: \.isWhitespace).first == "{" {
      return try SimulationConfiguration(scenario: Array(scenario.utf8), time: time)
    }
    // 1 MB: a scenario has some 50 numbers.
    let json = try FileOutput.read(scenario, limit: 1 << 20)
    return try SimulationConfiguration(scenario: json, time: time)
  }
}

extension ListKind: ExpressibleByArgument {}
extension ScrollPhysics: ExpressibleByArgument {}
extension SimulationConfiguration.Time: ExpressibleByArgument {}
extension SimulationConfiguration.Decoding.Mode: ExpressibleByArgument {}

extension Simulation.Phase {
  /// What the user reads meanwhile.
  var sentence: String {
    switch self {
    case .preparing: "making the pictures ..."
    case .playing(let replicas, let duration):
      "scrolling for \(Text.duration(duration))\(replicas > 1 ? ", \(replicas) times" : "") ..."
    case .measuring(let contender, let duration):
      "scrolling for \(Text.duration(duration)) with the \(contender.rawValue) loader ..."
    case .verifying: "comparing what was shown ..."
    }
  }
}
