internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// What a simulated loader keeps, and what it loads before it comes in.
struct KeepingOptions: ParsableArguments {
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
      flutter, deadline or landing. [default: landing]
      """
  )
  var prefetch: String?

  @Option(help: "Transfers at once, at most: 1 to 64. [default: 6]")
  var concurrency: Int?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Show what has arrived of a picture that takes longer than a tenth of a second. [default: no-previews]")
  var previews: Bool?

  /// Those that were given.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--memory": memory, "--disk": disk, "--policy": policy, "--prefetch": prefetch,
      "--concurrency": concurrency, "--previews": previews,
    ]
    return options.given
  }

  /// Sets what they say.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let memory { configuration.cache.memoryBytes = memory.bytes }
    if let disk { configuration.cache.diskBytes = disk.bytes }
    switch policy {
    case nil: break
    case .one(let rule): configuration.cache.policy = rule
    case .all: throw LoadError(.invalidRequest, "--policy all is for --requests; a list has one cache")
    }
    if let prefetch { configuration.loader.prefetch = try PrefetchRule(parsing: prefetch) }
    if let concurrency { configuration.loader.concurrency = concurrency }
    if let previews { configuration.loader.previews = previews }
  }
}
