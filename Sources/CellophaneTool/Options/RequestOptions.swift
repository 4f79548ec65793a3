internal import ArgumentParser
internal import Cellophane
internal import CellophaneSimulation

/// Requests that are played to caches instead of a list.
struct RequestOptions: ParsableArguments {
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

  /// Those that were given and say how requests are played.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = ["--requests-format": requestsFormat, "--sizes": sizes]
    return options.given
  }
}
