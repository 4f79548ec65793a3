internal import Cellophane
internal import CellophaneTesting

extension SimulationConfiguration {
  /// The command that plays this, every setting written out, so that it means the same when a default changes: as
  /// options, or as a scenario where some setting has no option. Nil for a list of the user's own, which has a
  /// name that is not known here.
  public var command: String? {
    guard list.pictures == .generated else { return nil }
    if saidByOptions == asPlayed { return ShellCommand(["cellophane", "simulate"] + options).text }
    guard let scenario = try? scenario() else { return nil }
    return ShellCommand(["cellophane", "simulate", String(decoding: scenario, as: UTF8.self)]).text
  }

  /// Without those that change nothing here, which are refused.
  private var options: [String] {
    [
      "--time", time.rawValue, "--layout", list.layout.rawValue, "--rows", "\(list.rows)", "--row-height",
      "\(list.rowHeight)",
      "--columns", "\(list.columns)", "--image", list.picture.text, "--source", list.image.text, "--viewport",
      viewport.size.text,
      "--profile", gesture.profile.name,
      "--network", network.profile.name, "--http", "\(network.http)", network.tls ? "--tls" : "--no-tls",
      "--think", "\(network.think.milliseconds)", "--memory", "\(cache.memoryBytes)", "--disk",
      "\(cache.diskBytes)", "--prefetch", loader.prefetch.name,
      "--concurrency", "\(loader.concurrency)",
      "--hz", "\(viewport.refreshRate)",
      "--duration", "\(duration.seconds)", "--seed", "\(seed)", "--replicas", "\(replicas)",
      "--bytes", list.bytes.name,
      "--fail", "\(origin.fail)", "--revalidate", "\(origin.revalidate)",
    ] + (gesture.profile.isFlung ? ["--physics", gesture.physics.rawValue] : [])
      + (cache.memoryBytes > 0 ? ["--policy", cache.policy.rawValue] : [])
      + (list.repeated.map { ["--repeat", $0.name] } ?? [])
      + (origin.slowTail.map { ["--slow-tail", $0.name] } ?? [])
      + (loader.previews ? ["--previews"] : [])
      + (list.progressive > 0 && loader.previews ? ["--progressive", "\(list.progressive)"] : [])
      + (time == .virtual ? ["--decode", decoding.mode.rawValue] : [])
  }

  /// What ``options`` say; what they leave out has its default.
  private var saidByOptions: SimulationConfiguration {
    var said = SimulationConfiguration(time: time)
    said.list.layout = list.layout
    said.list.rows = list.rows
    said.list.columns = list.columns
    said.list.bytes = list.bytes
    said.list.repeated = list.repeated
    if loader.previews { said.list.progressive = list.progressive }
    said.loader.previews = loader.previews
    said.list.rowHeight = list.rowHeight
    said.list.picture = list.picture
    said.list.image = list.image
    said.viewport.size = viewport.size
    said.gesture.profile = gesture.profile
    if gesture.profile.isFlung { said.gesture.physics = gesture.physics }
    said.network.profile = network.spelled
    said.network.http = network.http
    said.network.tls = network.tls
    said.network.think = network.think
    said.origin.fail = origin.fail
    said.origin.slowTail = origin.slowTail
    said.origin.revalidate = origin.revalidate
    said.cache.memoryBytes = cache.memoryBytes
    said.cache.diskBytes = cache.diskBytes
    if cache.memoryBytes > 0 { said.cache.policy = cache.policy }
    said.loader.prefetch = loader.prefetch
    said.loader.concurrency = loader.concurrency
    said.viewport.refreshRate = viewport.refreshRate
    if time == .virtual { said.decoding.mode = decoding.mode }
    said.duration = duration
    said.seed = seed
    said.replicas = replicas
    return said
  }
}

extension PixelSize {
  fileprivate var text: String { "\(width)x\(height)" }
}
