internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// The format of the list that a batch reads, and the part of it to load.
struct InputListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Read the list in this format; csv and tsv need a header row. \
      (default: by the extension .csv, .tsv, .tab, .jsonl or .ndjson, also before .gz or .zst, otherwise lines)
      """, valueName: "format"))
  var format: ListFormat?

  @Option(
    help: ArgumentHelp(
      "Take the URLs from this column or field of csv, tsv or jsonl. (default: url)", valueName: "name"))
  var column: String?

  @Option(
    help: ArgumentHelp(
      "Load only part i of n, from 1 to n; 0 is the same part as n. A URL is in the same part on every machine.",
      valueName: "i/n"))
  var shard: Shard?

  @Option(
    help: ArgumentHelp("Divide the list for --shard by URL or by host. (default: url)", valueName: "key"))
  var shardBy: Shard.Key?

  @Option(
    help: ArgumentHelp(
      "Read the results of an earlier run instead of a list, and load the failed records that may succeed now.",
      valueName: "results.jsonl"),
    completion: .file())
  var retryFailed: String?

  /// Checks these options together with the list arguments of the command.
  ///
  /// - Throws: `ValidationError` if they do not fit together.
  func check(with list: [String]) throws {
    if shardBy != nil, shard == nil { throw ValidationError("--shard-by needs --shard") }
    if retryFailed != nil {
      if !list.isEmpty {
        throw ValidationError("--retry-failed replaces the list; leave one of them out")
      }
      if format != nil || column != nil {
        throw ValidationError("--format and --column describe a list; leave them out with --retry-failed")
      }
    }
    if column != nil, ListInput.format(of: list, format) == .lines {
      throw ValidationError(
        "--column needs csv, tsv or jsonl, but the list has one URL per line; set the format with --format")
    }
    guard list.count > 1, !list.allSatisfy(ListInput.isURL) else { return }
    throw ValidationError(
      "too many arguments; give one list, or only URLs that begin with http://, https:// or file:///")
  }

  /// Checks that records can have other fields than the URL, if `option` needs some.
  ///
  /// - Throws: `ValidationError` for a list with one URL per line.
  func check(_ fields: [String], of option: String, with list: [String]) throws {
    guard let name = fields.first, retryFailed == nil, ListInput.format(of: list, format) == .lines else {
      return
    }
    throw ValidationError(
      "\(option) names the column '\(name)', but the list has one URL per line; set the format with --format")
  }

  /// Opens the list, or the results of an earlier run.
  ///
  /// - Parameter fields: The names of other fields that each record must have.
  func open(_ list: [String], requiring fields: [String]) throws(LoadError) -> ListInput {
    if let retryFailed { return try ListInput(retrying: retryFailed, requiring: fields) }
    return try ListInput(
      list, format: ListInput.format(of: list, format), field: column.map(FieldName.init) ?? .url,
      requiring: fields)
  }

  /// The part of the list to load; nil for all of it.
  var part: Shard? {
    var part = shard
    if let shardBy { part?.key = shardBy }
    return part
  }
}

extension ListFormat: Choice {}
extension Shard.Key: Choice {}

extension Shard: ExpressibleByArgument {
  /// Parses `i/n`; nil for any other text.
  init?(argument: String) { self.init(parsing: argument) }
}
