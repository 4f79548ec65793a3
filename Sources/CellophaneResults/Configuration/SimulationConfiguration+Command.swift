internal import Cellophane
internal import CellophaneNetwork

extension SimulationConfiguration {
  /// The command that plays this configuration. All settings are explicit, so that it stays valid if a
  /// default changes. They are options, or a scenario if a setting has no option. Nil for a user's list,
  /// because the configuration does not contain its file name, and for a scenario that is too long for a command.
  package var command: String? {
    guard list.pictures == .generated else { return nil }
    var played = asPlayed
    if !gesture.profile.isFlung { played.gesture.physics = Self.toolDefaults(in: time).gesture.physics }
    if representedByOptions == played { return ShellCommand(["cellophane", "simulate"] + options).text }
    guard let scenario = try? scenario(), scenario.count <= Self.maxArgument else { return nil }
    return ShellCommand(["cellophane", "simulate", String(decoding: scenario, as: UTF8.self)]).text
  }

  /// The maximum size of a scenario in a command, in bytes. Linux accepts arguments up to 128 KiB (MAX_ARG_STRLEN).
  private static let maxArgument = 100_000

  /// The options of the command. Options without effect are omitted, because the command rejects them.
  private var options: [String] {
    [
      "--time", time.rawValue, "--layout", list.layout.rawValue, "--rows", "\(list.rows)", "--row-height",
      "\(list.rowHeight)",
      "--columns", "\(list.columns)", "--image", list.picture.text, "--source", list.image.text, "--viewport",
      viewport.size.text,
      "--profile", gesture.profile.name,
      "--network", network.profile.name, "--http", network.http.rawValue, network.tls ? "--tls" : "--no-tls",
      "--think", "\(network.think.milliseconds)", "--memory", "\(cache.memoryBytes)", "--disk",
      "\(cache.diskBytes)", "--prefetch", loader.prefetch.name,
      "--concurrency", "\(loader.concurrency)",
      "--hz", "\(viewport.refreshRate)",
      "--duration", "\(duration.seconds)", "--seed", "\(seed)", "--replicas", "\(replicas)",
      "--bytes", list.bytes.name, "--density", "\(viewport.density)",
      "--fail", "\(origin.fail)", "--revalidate", "\(origin.revalidate)",
    ] + (network.origins == 1 ? [] : ["--origins", "\(network.origins)"])
      + (gesture.profile.isFlung ? ["--physics", gesture.physics.rawValue] : [])
      + (loader.name == .cellophane ? [] : ["--loader", loader.name.rawValue])
      + (usesPolicy ? ["--policy", cache.policy.rawValue] : [])
      + (list.repeated.map { ["--repeat", $0.name] } ?? [])
      + (origin.slowTail.map { ["--slow-tail", $0.name] } ?? [])
      + (loader.previews ? ["--previews"] : [])
      + (foresight ? ["--foresight"] : [])
      + (list.animated > 0 ? ["--animated", "\(list.animated)"] : [])
      + (list.progressive > 0 && loader.previews ? ["--progressive", "\(list.progressive)"] : [])
      + (time == .virtual ? ["--decode", decoding.mode.rawValue] : [])
  }

  /// True if the eviction policy has an effect.
  private var usesPolicy: Bool { cache.memoryBytes > 0 && loader.name == .cellophane }

  /// The configuration that ``options`` describe; other settings have the defaults of the command.
  private var representedByOptions: SimulationConfiguration {
    var represented = Self.toolDefaults(in: time)
    represented.list.layout = list.layout
    represented.list.rows = list.rows
    represented.list.columns = list.columns
    represented.list.bytes = list.bytes
    represented.list.repeated = list.repeated
    represented.list.animated = list.animated
    if loader.previews { represented.list.progressive = list.progressive }
    represented.loader.previews = loader.previews
    represented.list.rowHeight = list.rowHeight
    represented.list.picture = list.picture
    represented.list.image = list.image
    represented.viewport.size = viewport.size
    represented.viewport.density = viewport.density
    represented.gesture.profile = gesture.profile
    // Without flings, the physics have no effect.
    if gesture.profile.isFlung { represented.gesture.physics = gesture.physics }
    represented.network.profile = network.parsableProfile
    // Rates without a file are in the scenario only.
    if case .trace(nil, _) = network.profile.variation { represented.network.profile.variation = nil }
    represented.network.http = network.http
    represented.network.tls = network.tls
    represented.network.origins = network.origins
    represented.network.think = network.think
    represented.origin.fail = origin.fail
    represented.origin.slowTail = origin.slowTail
    represented.origin.revalidate = origin.revalidate
    represented.cache.memoryBytes = cache.memoryBytes
    represented.cache.diskBytes = cache.diskBytes
    if usesPolicy { represented.cache.policy = cache.policy }
    represented.loader.name = loader.name
    represented.loader.prefetch = loader.prefetch
    represented.loader.concurrency = loader.concurrency
    represented.viewport.refreshRate = viewport.refreshRate
    if time == .virtual { represented.decoding.mode = decoding.mode }
    represented.duration = duration
    represented.seed = seed
    represented.replicas = replicas
    represented.foresight = foresight
    return represented
  }
}

extension PixelSize {
  fileprivate var text: String { "\(width)x\(height)" }
}
