internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

/// `cellophane prefetch [LIST|-|URL...]`
struct Prefetch: AsyncParsableCommand, CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefetch",
    abstract: "Load every URL of a list into Cellophane's cache, or into files and archives.",
    discussion: """
      The list has one URL per line, or records with a column or field of URLs. Other columns are copied to the \
      results (--jsonl). Records are loaded as they are read, and each gives one result. Blank lines are skipped. A \
      list without a URL is reported and is not an error.

      The exit code is 2 if a record failed, or if a response could not be stored in the cache and there is no \
      --output. It is 1 if the list cannot be read or the results cannot be written, 130 after Ctrl-C, and 143 \
      after SIGTERM. Finished records are always kept and reported.

      Examples:
        cellophane prefetch list.txt -j 64 --jsonl results.jsonl
        cellophane prefetch list.csv --column link --size 256x256 -o thumbnails
        cellophane prefetch --retry-failed results.jsonl --jsonl second.jsonl
      """)

  @Argument(
    help: ArgumentHelp(
      "Read this file, or '-' for standard input, or load URLs given as arguments. (default: -)",
      valueName: "list"),
    completion: .file())
  var list: [String] = []

  @OptionGroup(title: "Loading and results") var loading: LoadingOptions
  @OptionGroup(title: "List") var input: InputListOptions
  @OptionGroup(title: "Output files") var files: OutputOptions
  @OptionGroup(title: "Data sets") var records: DataSetOptions
  @OptionGroup(title: "Image") var decoding: DecodingOptions
  @OptionGroup(title: "Image") var pixels: PixelLimitOptions
  @OptionGroup(title: "Image") var sizes: PictureFilterOptions
  @OptionGroup(title: "Cache") var storage: StorageOptions
  @OptionGroup(title: "Network") var connection: ConnectionOptions

  var transfer: TransferOptions { TransferOptions(storage: storage, connection: connection) }

  /// The concurrency of the loads, and the form of their results.
  struct LoadingOptions: ParsableArguments {
    @Option(
      name: .customLong("as"),
      help: ArgumentHelp("Require decodable images, or accept any bytes.", valueName: "kind"))
    var kind = ContentKind.image

    @Option(
      name: [.customShort("j"), .long],
      help: ArgumentHelp("Run up to this many loads at the same time, 1 to 1024.", valueName: "n"))
    var jobs = 16

    @Option(
      help: ArgumentHelp(
        """
        Limit the simultaneous loads from one host. Failures of the host lower its limit. \
        (default: -j, shared equally by the hosts)
        """, valueName: "n"))
    var perHost: Int?

    @Option(
      help: ArgumentHelp(
        """
        Request each record at most this many times, 1 to 100. Timeouts are not repeated. (default: 1 to 18, by the kind \
        of the failure)
        """, valueName: "n"))
    var tries: Int?

    @Option(
      help: ArgumentHelp(
        "End the run after this time, such as 10m. Finished records are kept. (default: no limit)",
        valueName: "time"))
    var maxTime: TimeAmount?

    @Option(
      help: ArgumentHelp(
        """
        Start at most this many loads per second from one host, such as 20/s or 100/min. (default: no limit, and the \
        rate that a host allows after a 429)
        """, valueName: "n/s"))
    var rate: RequestRate?

    @Option(
      help: ArgumentHelp(
        "Load at most this many bytes per second in all, on average, such as 2MB. (default: no limit)",
        valueName: "size"))
    var limitRate: ByteRate?

    @Option(
      help: ArgumentHelp(
        """
        Write one JSON object per record to this file; '-' writes to standard output. Failures are then not printed.
        """, valueName: "file"),
      completion: .file())
    var jsonl: String?

    @Flag(help: "Print the summary as one JSON object.")
    var json = false

    @Flag(
      help: "Write the results in the order of the list. Up to 10000 finished records wait for earlier ones."
    )
    var ordered = false

    @Flag(help: "Print neither progress nor failures nor the summary; --json still prints its object.")
    var quiet = false

    /// The limits of the run.
    var limits: BatchLimits {
      var limits = BatchLimits(perHost: perHost)
      (limits.tries, limits.rate, limits.time) = (tries, rate?.perSecond, maxTime?.duration)
      limits.bytesPerSecond = limitRate.map { Double($0.perSecond) }
      return limits
    }

    func validate() throws {
      // 1 024: a common limit of open files; each transfer needs one.
      guard (1...1_024).contains(jobs) else { throw ValidationError("--jobs must be from 1 to 1024") }
      if let perHost, perHost < 1 { throw ValidationError("--per-host must be at least 1") }
      if let tries, !(1...100).contains(tries) { throw ValidationError("--tries must be from 1 to 100") }
      if let maxTime, maxTime.duration <= .zero { throw ValidationError("--max-time must be more than 0") }
    }
  }

  func checkArguments() throws {
    let kind = loading.kind
    try input.check(with: list)
    if kind == .bytes, decoding.size != nil {
      throw ValidationError("--size needs an image; leave out --as bytes")
    }
    if loading.json, loading.jsonl == "-" {
      throw ValidationError("--json and --jsonl - both need standard output; write one of them to a file")
    }
    try records.check(kind, hasResults: loading.jsonl != nil || files.isWebDataset)
    try files.check(kind, decoding, records)
    try input.check((try? files.template())?.columns ?? [], of: "--names", with: list)
    try input.check(files.captionColumn.map { [$0] } ?? [], of: "--caption-column", with: list)
    try input.check((try? records.columns())?.crop?.names ?? [], of: "--crop-columns", with: list)
    try input.check(
      (try? records.columns())?.verification.map { [$0.name] } ?? [], of: "--verify", with: list)
    if storage.noCache, files.output == nil, kind == .bytes, loading.jsonl == nil {
      throw ValidationError("--as bytes with --no-cache keeps nothing; add --output or --jsonl")
    }
  }

  func run() async throws {
    let (kind, jobs, jsonl, json, quiet) = (
      loading.kind, loading.jobs, loading.jsonl, loading.json, loading.quiet
    )
    let interruption = Interruption()
    let source: ListInput
    let tally: PrefetchTally
    let bytes: ByteLoader
    let otherShards: Int
    let isOutOfTime: Bool
    do {
      source = try input.open(list, requiring: files.columns + records.columns().names)
      if source.isStandardInput, !quiet, Output.readsTerminal {
        Output.note(
          "waiting for a list on the terminal, one URL or record per line, and Ctrl-D at its end; "
            + "to read a file instead: cellophane prefetch FILE")
      }
      let results = try ResultFile(jsonl, besides: source)
      // Printing a failure may block as well, until the reader of the output reads.
      let mayBlock = results?.mayBlock ?? !quiet
      bytes = try loader(onLoops: kind != .image && files.output == nil && !mayBlock)
      tally = PrefetchTally(
        isQuiet: quiet, results: results, unit: source.unit, timeline: bytes.timeline,
        advice: advice(for: source.unit))
      let output = try await files.open(
        kind, decoding, records, replaces: storage.reload,
        // The results may come from several runs.
        numbersRepeat: input.retryFailed != nil, transfer)
      let run = BatchRun(
        source.source, try work(over: bytes, output), loading.limits, isOrdered: loading.ordered
      ) { tally.record($0) }
      let ending: Result<Void, LoadError>
      (otherShards, ending) = try await interruption.runCancellable { [bytes] in
        let otherShards = await tally.follow(run.progress) { await run.run(jobs: jobs) }
        await bytes.settle()
        tally.flush()
        // Inside of the closure, so that no signal ends the process before the output has its final names.
        do throws(LoadError) { try await output?.finish() } catch { return (otherShards, .failure(error)) }
        return (otherShards, .success(()))
      }
      isOutOfTime = run.progress.isOutOfTime
      try tally.close(isComplete: source.isReadable && !interruption.hasHappened && !isOutOfTime)
      try ending.get()
      try source.check()
    } catch let error as LoadError {
      throw Failure(error, json: json)
    }
    if tally.hasNoReader { throw Failure(reported: .failed) }
    let summary = tally.summary
    let report = PrefetchReport(
      summary: summary, otherShards: input.shard == nil ? nil : otherShards,
      cache: await (bytes.disk?.counters).map(CacheReport.init), output: files.output, results: jsonl)
    if json {
      try Output.json(report)
    } else if !quiet {
      for row in report.table {
        if jsonl == "-" { Output.note(row) } else { try Output.line(row) }
      }
    }
    if interruption.hasHappened { throw Failure(.cancelled, kept: kept) }
    if summary.records + otherShards == 0, !quiet { Output.note("nothing to load: \(source.emptyMessage)") }
    if isOutOfTime, !quiet {
      Output.note("the run ended after --max-time; records without a result were not loaded")
    }
    let isLost = files.output == nil && summary.notKept.responses > 0
    if summary.failed > 0 || isLost || isOutOfTime { throw Failure(reported: .someFailed) }
  }

  /// The part of the message about an interruption that says what remains.
  private var kept: String {
    storage.noCache && files.output == nil && loading.jsonl == nil
      ? "nothing is kept (--no-cache without --output)" : "finished work is kept"
  }

  /// Returns a function for the advice on errors of URLs in a list or in arguments, as `unit` names them.
  private func advice(for unit: String) -> @Sendable (ErrorReport) -> String? {
    let (transfer, kind) = (transfer, loading.kind)
    return { report in
      guard let error = report.cause, let advice = transfer.advice(on: error, requiring: kind) else {
        return nil
      }
      // A list on the web looks like any other text.
      return unit == "argument" && error.detail == .unknownFormat
        ? advice
          + "; to load a list of URLs from the web, save it first: cellophane fetch URL --as bytes -o FILE"
        : advice
    }
  }
}
