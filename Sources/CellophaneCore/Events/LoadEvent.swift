/// An event during the processing of a request.
public struct LoadEvent: Sendable {
  /// The kind of an event.
  public enum Kind: Sendable {
    /// A caller joined a running load.
    case joined
    /// The disk cache answered; with a fresh response unless the request was offline.
    case diskHit(ResponseKey, bytes: Int)
    /// The origin confirmed a stale response on disk (304), which answered and is fresh again.
    case revalidated(ResponseKey, bytes: Int)
    /// A stale response on disk answered immediately, as `stale-while-revalidate` allows.
    case staleHit(ResponseKey, bytes: Int)
    /// A background refresh started after a stale response or value answered.
    case refreshStarted(ResponseKey)
    /// The origin failed, and a stale response on disk answered, as `stale-if-error` allows.
    case staleOnError(ResponseKey, LoadError, bytes: Int)
    /// A load failed with a stored failure, whose duration the origin had stated; no request was sent.
    case failureKnown(ResponseKey, LoadError)
    /// An operation of the disk cache failed; the load continued without it.
    case diskFailed(FileSystemError)
    /// A transfer started.
    case transferStarted(ResponseKey)
    /// A complete response or a redirect was received.
    case transferFinished(ResponseKey, bytes: Int, duration: Duration)
    /// A transfer without waiters was cancelled after `bytes`, which are wasted.
    case transferAborted(ResponseKey, bytes: Int)
    /// A transfer failed after `bytes`, which are wasted.
    case transferFailed(ResponseKey, LoadError, bytes: Int)
    /// A running transfer lost its last waiter after `bytes`. It continues if its rest is likely to arrive before a new
    /// request could begin; otherwise it is cancelled.
    case abandoned(ResponseKey, bytes: Int, continues: Bool)
    /// Content that was on screen left it while its transfer from an origin was running. At most `transfers`
    /// now run concurrently to that origin, so that transfers finish in time.
    case narrowed(Origin, transfers: Int)
    /// A transfer finished although it had no waiters. Cancelling it would have wasted `saved` bytes.
    case finishedUnawaited(ResponseKey, saved: Int)
    /// The beginning of an unfinished body was stored on disk: `bytes` in total, after content decoding.
    case prefixKept(ResponseKey, bytes: Int)
    /// A transfer received the rest of a response. Its first `bytes`, after content decoding, were present
    /// before.
    case resumed(ResponseKey, bytes: Int)
    /// A load failed with a transient error and retries after a pause.
    case retrying(ResponseKey, LoadError, after: Duration)
    /// The circuit of an origin opened, after failures or at the origin's request. No load sends a request to
    /// the origin until the pause ends and a half-open probe succeeds.
    case circuitOpened(Origin, LoadError, for: Duration)
    /// The circuit of an origin closed: the origin answered again.
    case circuitClosed(Origin)
    /// A load failed without a request because the circuit of the origin was open.
    case circuitRejected(Origin)
    /// A value was decoded.
    case decoded(ResponseKey, cost: Int, duration: Duration)
    /// Decoding failed.
    case decodingFailed(ResponseKey, LoadError)
    /// A value arrived after its slot showed another request, and was discarded.
    case staleDropped(ResponseKey)
  }

  /// The time of the event on the loader's timeline.
  public let time: Duration
  /// The kind of the event.
  public let kind: Kind
  /// The decision of ``Kind/abandoned(_:bytes:continues:)`` with its inputs.
  package let abandonment: Abandonment?
}

/// The numbers of events since the loader was created.
public struct LoadCounters: Equatable, Sendable {
  /// Callers that joined a running load.
  public var joined = 0
  /// Requests answered from disk without validation. A redirect that led to the response may have been
  /// validated.
  public var diskHits = 0
  /// Requests answered from disk after the origin confirmed the stored response.
  public var revalidated = 0
  /// Requests answered from disk with a stale response while it was refreshed in the background.
  public var staleHits = 0
  /// Background refreshes started after a stale response or value answered.
  public var refreshes = 0
  /// Requests answered from disk with a stale response because the origin failed.
  public var staleOnError = 0
  /// Loads that failed with a stored failure and without a request.
  public var knownFailures = 0
  /// Failed operations of the disk cache.
  public var diskErrors = 0
  /// Transfers started.
  public var transfers = 0
  /// Transfers that received a complete, successful response or a redirect.
  public var completed = 0
  /// Transfers cancelled because they had no waiters.
  public var aborted = 0
  /// Transfers that failed.
  public var failed = 0
  /// Transfers that finished without waiters.
  public var finishedUnawaited = 0
  /// Body bytes that these transfers had received when they lost their last waiter, and that cancelling would
  /// have wasted.
  public var savedBytes = 0
  /// Transfers that resumed an earlier one.
  public var resumed = 0
  /// Body bytes that these transfers did not receive again. The loader that received them also counts them as
  /// wasted.
  public var resumedBytes = 0
  /// Retries after a failure.
  public var retries = 0
  /// Times that the circuit of an origin opened or its pause was extended.
  public var circuitOpenings = 0
  /// Loads that failed without a request because a circuit was open.
  public var circuitRejections = 0
  /// Body bytes received, after content decoding, including those of cancelled transfers.
  public var receivedBytes = 0
  /// Body bytes received by cancelled or failed transfers.
  public var wastedBytes = 0
  /// Values decoded.
  public var decodes = 0
  /// Failed decodings.
  public var decodingFailures = 0
  /// Values discarded because their slot showed another request.
  public var staleDrops = 0

  /// Creates counters of zero.
  package init() {}

  mutating func count(_ event: LoadEvent.Kind) {
    switch event {
    case .joined: joined += 1
    case .diskHit: diskHits += 1
    case .revalidated: revalidated += 1
    case .staleHit: staleHits += 1
    case .refreshStarted: refreshes += 1
    case .staleOnError: staleOnError += 1
    case .failureKnown: knownFailures += 1
    case .diskFailed: diskErrors += 1
    case .transferStarted: transfers += 1
    case .transferFinished(_, let bytes, _):
      completed += 1
      receivedBytes += bytes
    case .transferAborted(_, let bytes):
      aborted += 1
      receivedBytes += bytes
      wastedBytes += bytes
    case .transferFailed(_, _, let bytes):
      failed += 1
      receivedBytes += bytes
      wastedBytes += bytes
    case .abandoned, .narrowed, .prefixKept: break
    case .finishedUnawaited(_, let saved):
      finishedUnawaited += 1
      savedBytes += saved
    case .resumed(_, let bytes):
      resumed += 1
      resumedBytes += bytes
    case .retrying: retries += 1
    case .circuitOpened: circuitOpenings += 1
    case .circuitClosed: break
    case .circuitRejected: circuitRejections += 1
    case .decoded: decodes += 1
    case .decodingFailed: decodingFailures += 1
    case .staleDropped: staleDrops += 1
    }
  }
}
