internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// What a batch works off, and in which order it answers.
struct BatchOptions: ParsableArguments {
  @Argument(help: "A file, '-', or the URLs themselves (http:// or https://). [default: -]")
  var list: [String] = []

  @Option(
    help:
      """
      How the list is written: lines, csv, tsv (both with a header) or jsonl. [default: by the file's extension: .csv, .tsv, \
      .jsonl or .ndjson; else lines]
      """
  )
  var format: ListFormat?

  @Option(help: "The column or field of the URLs in csv, tsv or jsonl. [default: url]")
  var column: String?

  @Option(
    help: ArgumentHelp(
      """
      Only one of n parts of the list, the same on every machine; i from 0 or from 1. Equal URLs are in one part.
      """, valueName: "i/n"))
  var shard: Shard?

  @Option(help: "By what --shard parts: url, equal parts; or host, all of a host in one part.")
  var shardBy = Shard.Key.url

  @Option(
    help: ArgumentHelp(
      "Instead of a list, the results of an earlier run: its lines that failed and may succeed now.",
      valueName: "results.jsonl"))
  var retryFailed: String?

  @Flag(help: "Results in the order of the list. Lines that are done wait for those before, 10 000 at most.")
  var ordered = false

  func validate() throws {
    if retryFailed != nil {
      if !list.isEmpty { throw ValidationError("--retry-failed stands in place of a list") }
      if format != nil || column != nil {
        throw ValidationError("--format and --column are for lists, not for --retry-failed")
      }
    }
    if column != nil, PrefetchList.format(of: list, format) == .lines {
      throw ValidationError(
        "--column is for csv, tsv and jsonl, and this is a list of lines; say with --format how it is written"
      )
    }
    guard list.count > 1, !list.allSatisfy(PrefetchList.isURL) else { return }
    throw ValidationError("name one list, or only URLs that begin with http:// or https://")
  }

  /// Opens what is to be worked off.
  func open() throws(LoadError) -> PrefetchList {
    if let retryFailed { return try PrefetchList(retrying: retryFailed) }
    return try PrefetchList(
      list, format: PrefetchList.format(of: list, format), field: column.map(FieldName.init) ?? .url)
  }

  /// The part that is worked off here; nil for all.
  var part: Shard? {
    var part = shard
    part?.key = shardBy
    return part
  }
}

extension ListFormat: Choice {}
extension Shard.Key: Choice {}

extension Shard: ExpressibleByArgument {
  /// A part from `i/n`.
  init?(argument: String) { self.init(parsing: argument) }
}
