internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

/// The caches and the prefetching of a simulated loader.
struct LoaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Set the size of the memory cache. (default: 64MiB; in real time 2MiB)", valueName: "bytes"))
  var memory: ByteCount?

  @Option(help: ArgumentHelp("Set the size of the disk cache. (default: 256MiB)", valueName: "bytes"))
  var disk: ByteCount?

  @Option(
    help: ArgumentHelp(
      "Evict from the memory cache by this policy; --requests also accepts 'all'. (default: lru; with --requests: all)",
      discussion: NameList.help(NameList.evictionRules), valueName: "policy"),
    completion: .list(PolicyChoice.allValueStrings))
  var policy: PolicyChoice?

  @Option(
    help: ArgumentHelp(
      "Load images before they enter the screen, by this policy. (default: rows:8,2.5)",
      discussion: NameList.help(NameList.prefetchRules), valueName: "policy"),
    completion: .list(["none", "rows:8", "rows:8,2.5", "asdk", "compose", "flutter", "deadline", "landing"]))
  var prefetch: String?

  @Option(help: ArgumentHelp("Limit the simultaneous transfers, 1 to 64. (default: 6)", valueName: "n"))
  var concurrency: Int?

  @Flag(
    inversion: .prefixedNo,
    help: "Show a preview of an image whose bytes take longer than 0.1 s to arrive. (default: --no-previews)")
  var previews: Bool?

  /// The names of the given options.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--memory": memory, "--disk": disk, "--policy": policy, "--prefetch": prefetch,
      "--concurrency": concurrency, "--previews": previews,
    ]
    return options.given
  }

  /// Sets the given options in `configuration`.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let memory { configuration.cache.memoryBytes = memory.bytes }
    if let disk { configuration.cache.diskBytes = disk.bytes }
    switch policy {
    case nil: break
    case .one(let rule): configuration.cache.policy = rule
    case .all:
      throw LoadError(.invalidRequest, "--policy all needs --requests; a simulated list has only one cache")
    }
    if let prefetch { configuration.loader.prefetch = try PrefetchRule(parsing: prefetch) }
    if let concurrency { configuration.loader.concurrency = concurrency }
    if let previews { configuration.loader.previews = previews }
  }
}
