package import Cellophane

/// What became of one line.
package struct BatchResult: Sendable {
  /// How it ended.
  package enum Outcome: String, CaseIterable, Sendable {
    /// Its bytes came from the origin.
    case fetched
    /// Its bytes were on disk, fresh or good enough (``BatchResult/isStale``); or what is to be written of it was there.
    case fresh
    /// Its bytes were on disk, and the origin said that they still hold, or led to them.
    case revalidated
    /// An earlier line asked for the same.
    case duplicate
    /// The error says why.
    case failed
  }

  /// How many records stand before it in the list.
  package let position: Int
  /// The number of its line.
  package let index: Int
  /// As it stands in the list; without its user name and password, with which it cannot be loaded.
  package var url: String
  /// Where a line that failed leads, as `http://host:port`; nil when it is no URL.
  package var host: String?
  package var outcome = Outcome.failed
  /// Its bytes were no longer fresh, and are given all the same: nobody may ask, or the origin allows it while it cannot answer.
  package var isStale = false
  package var bytes: Int?
  package var status: Int?
  package var contentType: String?
  package var width: Int?
  package var height: Int?
  /// What the body is hashed to, where that is told.
  package private(set) var contentHash: String?
  /// What the request is hashed to, in the name of its file in the cache.
  package var cacheKey: String?
  /// What was written of it, within the folder for that.
  package var file: String?
  /// Why it is not in the cache, although it was to be.
  package var notKept: StoreFailure?
  package var timings = BatchTimings()
  /// Of a line that failed.
  package private(set) var failure: (error: ErrorReport, stage: BatchStage)?
  /// From when it was read to its end.
  package var duration = Duration.zero
  /// Of a line that had its turn: how hosts were treated that had a part in it.
  package var treatment: HostTreatment?
  private let carried: [UInt8]

  package init(_ record: ListRecord) {
    (position, index, url, carried) = (record.position, record.line, record.url, record.carried)
  }

  /// About the bytes that it takes in memory. 600: all of it but for what the list and the origin decide.
  var weight: Int {
    600 + url.utf8.count + carried.count + (contentType?.utf8.count ?? 0) + (file?.utf8.count ?? 0)
  }

  package mutating func fail(_ error: LoadError, at stage: BatchStage) {
    outcome = .failed
    let said = status ?? error.exchange?.status ?? error.status
    if error.isRetryable, let part = error.part {
      // Who was held back may hear of it when that is over.
      pause = part.heldFor ?? (part.isHeldBack ? .zero : nil)
      asksForPause = part.asksForPause
    }
    // What it said to others is no answer to this.
    if error.part?.isHeldBack != true { status = said }
    contentType = contentType ?? error.exchange?.contentType
    if let exchange = error.exchange, timings.inquiry == nil {
      timings.inquiry = FetchMetrics()
      timings.inquiry?.timings = exchange.timings
    }
    failure = (ErrorReport(error), stage)
    ownRefusals += error.part?.ownRefusals ?? 0
    elsewhere = error.part?.elsewhere
    isHeldBack = error.part?.isHeldBack ?? false
    if attempts == nil, stage.isOfOrigin, error.attempts > 0 { attempts = error.attempts }
  }

  /// How long whoever refused it is left alone, because it asked for that or refused others as well; nil when it is not.
  private(set) var pause: Duration?

  /// True when it said that itself.
  private(set) var asksForPause = false

  /// How often the origin was asked; nil when it was not.
  package private(set) var attempts: Int?

  /// How many tries its own host refused, or did not answer.
  private(set) var ownRefusals = 0

  /// Where it failed, when redirects had led it to another origin.
  private(set) var elsewhere: Origin?

  /// True when that, or its own host, was not asked in the end, for what it had said to others.
  private(set) var isHeldBack = false

  /// Adds what was asked before.
  mutating func add(attempts more: Int) { if more > 0 { attempts = (attempts ?? 0) + more } }

  /// Takes over what was loaded.
  mutating func take(_ body: LoadedBytes, isHashed: Bool) {
    outcome = body.source == .network ? .fetched : body.inquiry == nil ? .fresh : .revalidated
    isStale = body.isStale
    bytes = body.bytes.count
    status = body.status
    contentType = body.headers["content-type"]
    contentHash = isHashed ? "xxh3-128:" + XXH3.hexadecimal(body.bytes) : nil
    timings.inquiry = body.inquiry
    attempts = body.inquiry?.attempts
    ownRefusals += body.ownRefusals
    notKept = body.storeFailure
  }

  /// As a line of JSON Lines; `Documentation/schemas/cellophane.prefetch.schema.json` says what it has.
  package var line: [UInt8] {
    var line = JSONLine()
    line.add("index", index)
    line.add("url", url)
    line.add("outcome", outcome.rawValue)
    if isStale { line.add("stale", true) }
    if let bytes { line.add("bytes", bytes) }
    if let status { line.add("status", status) }
    if let contentType { line.add("contentType", contentType) }
    if let width { line.add("width", width) }
    if let height { line.add("height", height) }
    if let contentHash { line.add("contentHash", contentHash) }
    if let cacheKey { line.add("cacheKey", cacheKey) }
    if let file { line.add("file", file) }
    if let attempts { line.add("tries", attempts) }
    timings.add(to: &line, isOfOrigin: failure?.stage.isOfOrigin ?? false)
    if let failure { line.add("error") { failure.error.addMembers(to: &$0, at: failure.stage) } }
    if let notKept { line.add("notKept", notKept.description) }
    if !carried.isEmpty { line.add("fields", members: carried) }
    line.add("duration_ms", milliseconds: duration)
    return line.line()
  }
}
