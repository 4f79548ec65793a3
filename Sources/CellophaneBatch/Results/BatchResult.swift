package import Cellophane

/// The result of one record.
package struct BatchResult: Sendable {
  /// The kind of result.
  package enum Outcome: String, CaseIterable, Sendable {
    /// The body came from the origin.
    case fetched
    /// The body came from the disk cache without a request, fresh or stale (``BatchResult/isStale``); or the
    /// output already existed.
    case fresh
    /// The body came from the disk cache after a request: the origin confirmed it, or redirected to it.
    case revalidated
    /// An earlier record has the same URL and did not fail.
    case duplicate
    /// The owner of the image forbids its use in data sets.
    case optedOut = "opted-out"
    /// The image has another size than the run keeps.
    case filtered
    /// The record failed with an error.
    case failed
  }

  /// The number of records before this one in the list.
  package let position: Int
  /// The line number of the record in the list, from 1.
  package let index: Int
  /// The URL from the list, without the user name and password of a URL that was refused.
  package var url: String
  /// The origin of a failed record as `http://host:port`; nil without a valid URL.
  package var host: String?
  package var outcome = Outcome.failed
  /// Whether the body was stale: no request was allowed, or the origin failed and allows stale responses
  /// (`stale-if-error`).
  package var isStale = false
  package var bytes: Int?
  /// Whether only the end of the connection marked the end of the body, which may be truncated.
  package var isCloseDelimited = false
  package var status: Int?
  package var contentType: String?
  package var width: Int?
  package var height: Int?
  /// The size of the upright image in its file, before it is cropped and resized; nil without an image.
  package var originalSize: PixelSize?
  /// The EXIF fields of the image as members of a JSON object; nil if they are not requested.
  package var exif: [UInt8]?
  /// The field `Last-Modified` of the response.
  package var lastModified: String?
  /// The deviations of the image from its format that leave every pixel right.
  package var warnings: [ImageWarning] = []
  /// The hash of the body after the name of its function; nil if hashes are not requested.
  package private(set) var contentHash: String?
  /// The hash of the request, which is the name of its cache entry; nil if hashes are not requested.
  package var cacheKey: String?
  /// The path of the written file within the output folder.
  package var file: String?
  /// Whether the output existed, so that the record needed no load.
  package var isInOutput = false
  /// The reason why the response is not in the disk cache; nil if it is, or was not to be stored.
  package var notKept: StoreFailure?
  package var timings = BatchTimings()
  /// The error of a failed record, with its stage.
  package private(set) var failure: (error: ErrorReport, stage: BatchStage)?
  /// The time from reading the record to its result.
  package var duration = Duration.zero
  /// The politeness of the hosts involved; nil for a record that was never scheduled.
  package var politenessReport: PolitenessReport?
  private let otherFields: [UInt8]

  package init(_ record: ListRecord) {
    (position, index, url, otherFields) = (record.position, record.line, record.url, record.otherFields)
  }

  /// The approximate size in memory, in bytes. 600: everything except the parts whose size the list and the
  /// origin determine.
  var weight: Int {
    600 + url.utf8.count + otherFields.count + (contentType?.utf8.count ?? 0) + (file?.utf8.count ?? 0)
      + (exif?.count ?? 0)
  }

  /// Sets the error of the record.
  ///
  /// - Parameter load: The details of the failed load; nil if the error is not that of a load.
  package mutating func fail(_ error: LoadError, at stage: BatchStage, after load: FailedFetch? = nil) {
    outcome = error.kind == .optedOut ? .optedOut : error.detail == .filtered ? .filtered : .failed
    let responseStatus = status ?? load?.exchange?.status ?? error.status
    if error.isRetryable, let circuit = load?.circuit {
      // The circuit may have closed since it rejected the request: no pause is left then.
      pause = circuit.remaining ?? (circuit.isRefused ? .zero : nil)
      asksForPause = circuit.isRequested
      requestedPause = asksForPause ? error.retryAfter : nil
      retryDelay = circuit.retryDelay
    }
    isCircuitOpen = load?.circuit.isRefused ?? false
    // A status that opened the circuit belongs to another record.
    if !isCircuitOpen { status = responseStatus }
    contentType = contentType ?? load?.exchange?.contentType
    if let exchange = load?.exchange, timings.fetch == nil {
      timings.fetch = FetchMetrics()
      timings.fetch?.timings = exchange.timings
    }
    let failedAttempts = load?.attempts ?? 1
    failure = (ErrorReport(error, attempts: failedAttempts), stage)
    ownRefusals += load?.ownRefusals ?? 0
    redirectedOrigin = load?.otherOrigin
    if attempts == nil, stage.isOfOrigin, failedAttempts > 0 { attempts = failedAttempts }
  }

  /// The time for which the circuit of the failed origin stays open; zero if it has closed since it rejected the
  /// request. Nil if it was closed, or if a retry cannot succeed.
  private(set) var pause: Duration?

  /// Whether the failed origin requested the pause in its response to this record.
  private(set) var asksForPause = false

  /// The length of that pause.
  private(set) var requestedPause: Duration?

  /// The pause before another request after a temporary failure; nil if the circuit is open or no other request is
  /// worthwhile.
  private(set) var retryDelay: Duration?

  /// The number of requests; nil if none was sent.
  package private(set) var attempts: Int?

  /// The number of attempts that failed at the record's own host with a transient error.
  private(set) var ownRefusals = 0

  /// The origin at which the load failed, if redirects led to another one.
  private(set) var redirectedOrigin: Origin?

  /// Whether the last request was not sent because the circuit of its origin was open.
  private(set) var isCircuitOpen = false

  /// Adds the requests of earlier assignments, also to the message of a failure after further requests.
  mutating func add(attempts more: Int) {
    guard more > 0 else { return }
    if let (error, stage) = failure, stage.isOfOrigin, let attempts, let cause = error.cause {
      failure = (ErrorReport(cause, attempts: attempts + more), stage)
    }
    attempts = (attempts ?? 0) + more
  }

  /// Returns the result of `record`, which has the same URL as the record of this result.
  ///
  /// It has the same failure, if any. Otherwise it has the file of this result, or the properties of the loaded body if
  /// it has another sample.
  func repeated(by record: ListRecord, hasSample: Bool) -> BatchResult {
    var result = BatchResult(record)
    (result.cacheKey, result.host) = (cacheKey, host)
    if failure != nil {
      (result.outcome, result.failure) = (outcome, failure)
      (result.status, result.contentType) = (status, contentType)
      return result
    }
    result.outcome = .duplicate
    if !hasSample {
      result.file = file
      return result
    }
    (result.isStale, result.bytes, result.status) = (isStale, bytes, status)
    (result.contentType, result.contentHash) = (contentType, contentHash)
    (result.width, result.height, result.warnings) = (width, height, warnings)
    (result.originalSize, result.exif, result.lastModified) = (originalSize, exif, lastModified)
    return result
  }

  /// Sets the properties of the loaded body.
  ///
  /// - Parameter hash: The function of its hash; nil for no hash.
  /// - Throws: The error of ``BodyHash/hexadecimal(_:)``.
  mutating func take(_ body: LoadedBytes, hash: BodyHash?) throws(LoadError) {
    outcome = body.source == .network ? .fetched : body.fetchMetrics == nil ? .fresh : .revalidated
    isStale = body.isStale
    bytes = body.bytes.count
    isCloseDelimited = body.fetchMetrics?.isCloseDelimited ?? false
    status = body.status
    contentType = body.headers["content-type"]
    // A date has 29 characters.
    lastModified = body.headers["last-modified"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
    timings.fetch = body.fetchMetrics
    attempts = body.fetchMetrics?.attempts
    ownRefusals += body.ownRefusals
    notKept = body.storeFailure
    if let hash { contentHash = "\(hash.rawValue):\(try hash.hexadecimal(body.bytes))" }
  }

  /// The result as a line of JSON Lines, described by
  /// `Documentation/schemas/cellophane.prefetch.schema.json`.
  package var jsonLine: [UInt8] {
    var json = JSONLine()
    json.add("index", index)
    json.add("url", url)
    json.add("outcome", outcome.rawValue)
    if isStale { json.add("stale", true) }
    if let bytes { json.add("bytes", bytes) }
    if isCloseDelimited { json.add("closeDelimited", true) }
    if let status { json.add("status", status) }
    if let contentType { json.add("contentType", contentType) }
    if let width { json.add("width", width) }
    if let height { json.add("height", height) }
    if let originalSize {
      json.add("originalWidth", originalSize.width)
      json.add("originalHeight", originalSize.height)
    }
    if !warnings.isEmpty { json.add("warnings", warnings.map(\.rawValue)) }
    if let contentHash { json.add("contentHash", contentHash) }
    if let lastModified { json.add("lastModified", lastModified) }
    if let exif { json.add("exif", members: exif) }
    if let cacheKey { json.add("cacheKey", cacheKey) }
    if let file { json.add("file", file) }
    if let attempts { json.add("tries", attempts) }
    timings.add(to: &json, isOfOrigin: failure?.stage.isOfOrigin ?? false)
    if let failure { json.add("error") { failure.error.addMembers(to: &$0, at: failure.stage) } }
    if let notKept { json.add("notKept", notKept.description) }
    if !otherFields.isEmpty { json.add("fields", members: otherFields) }
    json.add("duration_ms", milliseconds: duration)
    return json.line()
  }
}
