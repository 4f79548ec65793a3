extension ByteLoader {
  /// The limits and rules of a byte loader.
  public struct Configuration: Sendable {
    /// The maximum number of concurrent transfers. 16: enough to hide round trips to three busy hosts.
    public var transfers: Int
    /// The maximum number of concurrent transfers per origin. 6: as browsers open to an HTTP/1.1 host.
    ///
    /// The number shrinks while visible images leave the screen before they arrive, but never below the number that
    /// saturates the link. Transfers with ``Priority/prefetch`` begin only while fewer run than saturate the link, by its
    /// latency and transfer time: more would delay visible transfers and arrive no sooner themselves. Where one transfer
    /// saturates the link, as with large images over a slow network, those with ``Priority/visible`` run one by one, so that
    /// the first image does not arrive as late as the last. A transfer that takes twice the expected time does not count.
    public var transfersPerOrigin: Int
    /// The slots of both limits that only visible requests use. 1: the newest row of a fling starts at once although
    /// prefetching uses the rest. With 2, small images that are prefetched over long round trips arrive later.
    public var reservedForVisible: Int
    /// The maximum number of transfers that wait for their turn; nil for no maximum. Beyond it, the load that would begin
    /// last fails with ``LoadError/Kind/busy``. Responses in memory and on disk answer all the same.
    public var maxWaiting: Int?
    /// The time within which each load must end if its request has no ``Request/deadline``; nil for no deadline.
    public var deadline: Duration?
    /// The limits of one transfer.
    public var limits: TransferLimits
    /// Whether stale responses answer at once while the origin is asked in the background, where the origin allows it
    /// (`stale-while-revalidate`). Use false for a process that ends with its last load: it would end before the refresh.
    public var refreshesInBackground: Bool
    /// The query parameters that cache keys ignore.
    public var queryRules: [QueryRule]
    /// The names of request header fields that cache keys ignore, such as a trace id that differs in each request.
    ///
    /// Requests that differ only in these share values, transfers and files. On disk, a response whose `Vary` names
    /// such a field is still used only for requests with the same value. Credentials, conditions and ranges always
    /// count.
    public var ignoredHeaders: Set<String>
    /// Checks whether a URL may be loaded, and returns the judge of its response. Called for the URL of each load and for the
    /// target of each redirect, before a stored response or the origin answers. Nil to load all.
    package var admit: (@Sendable (_ url: String) async throws(LoadError) -> ResponseJudge)?
    /// Judges the beginning of each body that arrives; nil to load all.
    package var judgeBody: (@Sendable ([UInt8]) -> BodyVerdict)?
    /// The rules for retries and for the circuit breaker.
    public var retry: RetryPolicy

    /// Creates a configuration.
    public init(
      transfers: Int = 16, transfersPerOrigin: Int = 6, reservedForVisible: Int = 1, maxWaiting: Int? = nil,
      deadline: Duration? = nil, limits: TransferLimits = TransferLimits(),
      refreshesInBackground: Bool = true, queryRules: [QueryRule] = [], ignoredHeaders: Set<String> = [],
      retry: RetryPolicy = RetryPolicy()
    ) {
      self.transfers = transfers
      self.transfersPerOrigin = transfersPerOrigin
      self.reservedForVisible = reservedForVisible
      self.maxWaiting = maxWaiting
      self.deadline = deadline
      self.limits = limits
      self.refreshesInBackground = refreshesInBackground
      self.queryRules = queryRules
      self.ignoredHeaders = ignoredHeaders
      self.retry = retry
    }
  }
}

/// Returns an error for a successful response that must not be loaded, judged by its header fields. The transfer then ends
/// before the body, and a stored response does not answer.
package typealias ResponseJudge = @Sendable (HeaderFields) -> LoadError?
