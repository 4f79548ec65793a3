internal import ArgumentParser
internal import Cellophane
internal import CellophaneResults

/// A trace of cache requests to replay instead of a list.
struct CacheTraceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Replay this trace against --policy and the best possible hit rate, without a list; '-' reads standard input.
      """, valueName: "file"),
    completion: .file())
  var requests: String?

  @Option(
    help: ArgumentHelp(
      "Read --requests as webcachesim, csv:id=2,size=3, txt, oracleGeneral or twitter. (default: detected)",
      valueName: "format"),
    completion: .list(["webcachesim", "csv", "txt", "oracleGeneral", "twitter"]))
  var requestsFormat: String?

  @Option(
    help: ArgumentHelp(
      """
      Use caches of these sizes, in bytes or percent of all distinct objects, such as 1%,50MB; in objects \
      for a trace without sizes. (default: --memory, otherwise 1%,10%)
      """, valueName: "sizes"))
  var sizes: CacheSizes?

  /// The names of the given options that need `--requests`.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = ["--requests-format": requestsFormat, "--sizes": sizes]
    return options.given
  }
}
