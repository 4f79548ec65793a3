/// Something that happened on the way of a request.
public struct LoadEvent: Sendable {
  /// What happened.
  public enum Kind: Sendable {
    /// A caller joined work that was already running.
    case joined
    /// The disk cache had the bytes, fresh ones unless the request was to stay offline.
    case diskHit(ResponseKey, bytes: Int)
    /// The origin said that stale bytes on disk still hold; they answered, fresh again.
    case revalidated(ResponseKey, bytes: Int)
    /// Stale bytes on disk answered at once, as `stale-while-revalidate` allows.
    case staleHit(ResponseKey, bytes: Int)
    /// The origin is asked in the background, because something stale has answered.
    case refreshStarted(ResponseKey)
    /// The origin had an error; stale bytes on disk answered in its place, as `stale-if-error` allows.
    case staleOnError(ResponseKey, LoadError, bytes: Int)
    /// A request failed without asking the origin, which said before how long that lasts.
    case failureKnown(ResponseKey, LoadError)
    /// The disk cache could not do something; the load went on without it.
    case diskFailed(FileSystemError)
    /// A transfer began.
    case transferStarted(ResponseKey)
    /// A whole response came in, or a redirect.
    case transferFinished(ResponseKey, bytes: Int, duration: Duration)
    /// Nobody waited any more; the transfer was cut off after `bytes`, which are wasted.
    case transferAborted(ResponseKey, bytes: Int)
    /// A transfer gave an error, after `bytes` which are wasted.
    case transferFailed(ResponseKey, LoadError, bytes: Int)
    /// Nobody waited any more for a transfer that was running; whether it goes on, and why.
    case abandoned(ResponseKey, Abandonment)
    /// What was wanted on screen from an origin was arriving when it went off: from now on at most so many transfers run
    /// at once to it, so that they come in time.
    case narrowed(Origin, transfers: Int)
    /// A transfer that went on although nobody waited has come to its end; cut off, it would have wasted `saved`
    /// bytes.
    case finishedUnawaited(ResponseKey, saved: Int)
    /// The first bytes of a transfer that did not come to its end are kept on disk, `bytes` with those before,
    /// after content decoding.
    case prefixKept(ResponseKey, bytes: Int)
    /// A transfer brought the rest of a response of which `bytes`, after content decoding, were there already.
    case resumed(ResponseKey, bytes: Int)
    /// A load failed in a way that may pass, and asks again after a pause.
    case retrying(ResponseKey, LoadError, after: Duration)
    /// The circuit of an origin opened, because it failed or asked for a pause. After the time a half-open probe follows.
    case circuitOpened(Origin, LoadError, for: Duration)
    /// The circuit of an origin closed after a successful probe.
    case circuitClosed(Origin)
    /// A load failed without a request because the circuit of its origin is open.
    case refusedByCircuit(Origin)
    /// Bytes became a value.
    case decoded(ResponseKey, cost: Int, duration: Duration)
    /// Bytes did not become a value.
    case decodingFailed(ResponseKey, LoadError)
    /// A value arrived for a slot that had moved on, and was not shown.
    case staleDropped(ResponseKey)
  }

  /// When, on the loader's timeline.
  public let time: Duration
  /// What.
  public let kind: Kind
}

/// How often things happened since the loader was made.
public struct LoadCounters: Equatable, Sendable {
  /// Callers that joined running work instead of starting their own.
  public var joined = 0
  /// Requests answered from disk without asking the origin about what is there; it may have been asked where that is.
  public var diskHits = 0
  /// Requests answered from disk after the origin said that what is there still holds.
  public var revalidated = 0
  /// Requests answered from disk with stale bytes while the origin was asked in the background.
  public var staleHits = 0
  /// Times that the origin was asked in the background, because something stale had answered.
  public var refreshes = 0
  /// Requests answered from disk with stale bytes because the origin had an error.
  public var staleOnError = 0
  /// Requests that failed without asking the origin, which had said before how long that lasts.
  public var knownFailures = 0
  /// Operations that the disk cache could not do.
  public var diskErrors = 0
  /// Transfers begun.
  public var transfers = 0
  /// Transfers that gave a whole, successful response, or a redirect.
  public var completed = 0
  /// Transfers cut off because nobody waited any more.
  public var aborted = 0
  /// Transfers that gave an error.
  public var failed = 0
  /// Transfers that were finished although their last waiter had left.
  public var finishedUnawaited = 0
  /// Body bytes that those had received by then, and would have wasted.
  public var savedBytes = 0
  /// Transfers that went on where another had ended.
  public var resumed = 0
  /// Body bytes that those did not receive again. They count as wasted, too, in the loader that received them.
  public var resumedBytes = 0
  /// Times that a load asked again after a failure.
  public var retries = 0
  /// Circuits opened, including those that a failed probe opened again.
  public var circuitsOpened = 0
  /// Loads that failed without a request because a circuit was open.
  public var refusedByCircuit = 0
  /// Body bytes received, after content decoding, also those of cut-off transfers.
  public var receivedBytes = 0
  /// Body bytes received by transfers that were cut off or failed.
  public var wastedBytes = 0
  /// Values decoded.
  public var decodes = 0
  /// Decodings that gave an error.
  public var decodingFailures = 0
  /// Values that arrived for a slot that had moved on.
  public var staleDrops = 0

  /// Counters at zero.
  public init() {}

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
    case .circuitOpened: circuitsOpened += 1
    case .circuitClosed: break
    case .refusedByCircuit: refusedByCircuit += 1
    case .decoded: decodes += 1
    case .decodingFailed: decodingFailures += 1
    case .staleDropped: staleDrops += 1
    }
  }
}
