internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// `cellophane prefetch [LIST|-|URL...]`
struct Prefetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prefetch",
    abstract: "Load every URL of a list into the cache.",
    discussion: """
      The list has one URL a line, or records with a column or field of URLs: the others are carried through to the \
      results. '-' reads standard input as it comes. Each line gives one result, in the order in which they end; blank \
      lines are passed over. A list without any is told and is no failure. The exit code is 2 when some fail, or were \
      to be kept and could not be (with --output, that is only told), 1 when the results cannot be written, which ends the run, \
      130 after Ctrl-C; what was finished by then is kept and reported.
      """)

  @OptionGroup var batch: BatchOptions

  @Option(name: .customLong("as"), help: "image: fails on what cannot be decoded; bytes: takes anything.")
  var form = Form.image

  @Option(name: [.customShort("j"), .long], help: "Loads at once.")
  var jobs = 16

  @Option(
    help:
      "Loads at once from one host, fewer while it is in trouble. [default: all of -j, if no other wants some]"
  )
  var perHost: Int?

  @Option(
    help: """
      Where one JSON object per line of the list is written; '-' is standard output. Failures are there then, and not \
      printed.
      """)
  var jsonl: String?

  @Flag(help: "Print the summary as one JSON object.")
  var json = false

  @Flag(help: "Print neither progress nor failures nor summary.")
  var quiet = false

  @OptionGroup var files: OutputOptions
  @OptionGroup var transfer: TransferOptions
  @OptionGroup var picture: PictureOptions

  func validate() throws {
    // 1 024: a common limit of open files, each transfer needs one.
    guard (1...1_024).contains(jobs) else { throw ValidationError("--jobs is from 1 to 1024") }
    if let perHost, perHost < 1 { throw ValidationError("--per-host is at least 1") }
    if form == .bytes, picture.size != nil { throw ValidationError("--size needs --as image") }
    if json, jsonl == "-" { throw ValidationError("--json and --jsonl - both want standard output") }
    try files.check(form, picture)
    if transfer.noCache, files.output == nil, form == .bytes, jsonl == nil {
      throw ValidationError("--as bytes with --no-cache would keep nothing; give --output or --jsonl")
    }
  }

  func run() async throws {
    let interruption = Interruption()
    let list: PrefetchList
    let tally: PrefetchTally
    let bytes: ByteLoader
    let elsewhere: Int
    do {
      list = try batch.open()
      let results = try ResultFile(jsonl, besides: list)
      // A failure that is shown may wait, too, for as long as nobody reads.
      let mayWait = results?.mayWait ?? !quiet
      bytes = try loader(onLoops: form != .image && files.output == nil && !mayWait)
      tally = PrefetchTally(isQuiet: quiet, results: results, timeline: bytes.timeline)
      let output = try files.open(
        form, picture, replaces: transfer.reload,
        // Of several runs.
        numbersRepeat: batch.retryFailed != nil)
      let run = BatchRun(
        list.source, try work(over: bytes, output), perHost: perHost, isOrdered: batch.ordered
      ) { tally.record($0) }
      let ending: Result<Void, LoadError>
      (elsewhere, ending) = try await interruption.cancels { [jobs, bytes] in
        let elsewhere = await tally.follow(run.progress) { await run.run(jobs: jobs) }
        await bytes.settle()
        tally.flush()
        // In here, so that no signal ends the process before what is done has its place.
        return (elsewhere, Result { () throws(LoadError) in if let output { try output.finish() } })
      }
      try tally.close(isWhole: list.isReadable && !interruption.hasHappened)
      try ending.get()
      try list.check()
    } catch let error as LoadError {
      throw Failure(error, json: json)
    }
    if tally.hasNoReader { throw Failure(reported: .failed) }
    let summary = tally.summary
    let report = PrefetchReport(
      summary: summary, otherShards: batch.shard == nil ? nil : elsewhere,
      cache: await (bytes.disk?.counters).map(CacheReport.init))
    if json {
      try Output.json(report)
    } else if !quiet {
      for row in report.table {
        if jsonl == "-" { Output.note(row) } else { try Output.line(row) }
      }
    }
    if interruption.hasHappened { throw Failure(.cancelled) }
    if summary.lines + elsewhere == 0, !quiet { Output.note("nothing to load: \(list.absence)") }
    let isLost = files.output == nil && summary.notKept.responses > 0
    if summary.failed > 0 || isLost { throw Failure(reported: .someFailed) }
  }

  private func work(over bytes: ByteLoader, _ output: (any BatchOutput)?) throws -> BatchWork {
    let order = BatchWork.Order(
      picture: form == .image ? picture.options() : nil, headers: try transfer.requestHeaders(),
      cachePolicy: transfer.cachePolicy, hashesBodies: jsonl != nil || files.isWebDataset,
      shard: batch.part
    ) { [allowsFiles = transfer.allowsFiles] url throws(LoadError) in
      try TransferOptions.check(url, allowsFiles: allowsFiles)
    }
    return BatchWork(order, bytes: bytes, output: output)
  }

  /// - Parameter onLoops: Whether the road of a line is walked on the threads that receive. Not where it may wait, or pictures
  ///   are decoded: then nothing would be received meanwhile.
  private func loader(onLoops: Bool) throws(LoadError) -> ByteLoader {
    // Four: what loads so many small files a second keeps eight processors busy.
    let loops = min(ProcessInfo.processInfo.activeProcessorCount, 4)
    return try transfer.byteLoader(eventLoops: loops, onLoops: onLoops) { configuration in
      configuration.transfers = jobs
      configuration.transfersPerOrigin = perHost ?? jobs
      // Nothing is on screen, so no place waits for it.
      configuration.reservedForVisible = 0
      // Its lines come again by themselves.
      configuration.retry.waitsForOrigins = false
    }
  }
}
