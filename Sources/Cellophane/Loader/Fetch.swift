/// One load in progress: its request, the redirects followed so far, its attempts, its deadline and its results.
///
/// Belongs to the task of one flight. All stages of the load share it.
final class Fetch {
  /// A cached redirect that was followed. When its target fails, the fetch may return here once and ask the origin.
  private struct Branch {
    /// The chain before the redirect.
    let chain: RedirectChain
    let failedAttempts: Int
    /// False for a stale redirect that was used because its origin had failed already.
    let mayReturn: Bool
    /// The target of the redirect.
    let target: ByteRequest
  }

  /// The target of a cached redirect, and its failure.
  struct FailedBranch {
    let target: ByteRequest
    let error: LoadError
    let failure: FailedFetch
    let failedAttempts: Int
  }

  let context: FetchContext
  /// The request of the caller. Events and errors name its key, whatever the target of redirects is.
  let request: ByteRequest
  let priority: LivePriority
  /// The bytes as readers see them while they arrive.
  let body: SharedBody
  /// The memory of the bodies; nil without a limit.
  let memory: BodyMemory.Share?
  /// True for a background refresh: a stale response has answered already, and only a fresh one is of use.
  let isRefresh: Bool

  /// The redirects followed so far.
  private(set) var chain: RedirectChain
  /// How many redirects were followed in all, including those of abandoned branches.
  private(set) var followed = 0
  private var branches: [Branch] = []
  /// The target of a cached redirect that failed, so that the fetch asks the origin of the redirect; nil otherwise.
  private(set) var failedBranch: FailedBranch?

  /// The judge of the target's response.
  var judge: ResponseJudge = { _ in nil }
  /// The conditional request of the current attempt, if any.
  var validation: Validation?
  /// The partial body from which the next exchange with the target resumes.
  var partial: Resumption?
  /// The number of bytes after which the target's origin has no more: a transfer that ends there cannot be resumed.
  var knownEnd: Int?
  /// How many attempts at the current target have failed.
  var failures = 0
  /// How many attempts have failed in all.
  private(set) var failedAttempts = 0
  /// How many of those failed temporarily at the host of the request.
  private(set) var ownRefusals = 0
  var circuit = FailedFetch.CircuitState()
  /// Details of the last exchange that failed, as far as the transport reports them.
  var failedExchange: FailedExchange?
  /// The failed response of the last exchange, if its freshness says how long it lasts.
  var lastingFailure: StoredResponse?
  /// The details of the error that is being thrown; nil without one.
  var failure: FailedFetch?
  /// The time spent waiting for the gate and for open circuits.
  private(set) var queueTime = Duration.zero
  /// The end of the load's time; nil until the first attempt, because the time in the queue does not count.
  private(set) var deadline: Duration?

  init(
    _ request: ByteRequest, in context: FetchContext, priority: LivePriority, body: SharedBody,
    isRefresh: Bool = false
  ) {
    (self.request, self.context, self.priority) = (request, context, priority)
    (self.body, self.isRefresh) = (body, isRefresh)
    memory = context.bodies?.share()
    chain = RedirectChain(request)
  }

  /// The request at the end of the redirects.
  var target: ByteRequest { chain.target }

  /// The origin of the target.
  var origin: Origin { chain.target.key.origin }

  /// True after the first redirect.
  var isRedirected: Bool { chain.count > 0 }

  /// True when the target is at the host of the request, with or without TLS: politeness is counted by host.
  var isAtOwnHost: Bool { origin.authority == request.key.origin.authority }

  /// The subject of error messages. Names only the origin of a redirect's target, because the rest of its URL may be a
  /// secret that only this caller received.
  var subject: String {
    isRedirected ? "\(request.key.url) redirects to \(origin), which" : request.key.url
  }

  /// True when the load's time is over at `now`.
  func isLate(at now: Duration) -> Bool { deadline.map { now >= $0 } ?? false }
}

// MARK: Attempts

extension Fetch {
  /// Prepares the attempts at the current target.
  func beginAttempts() {
    failures = 0
    (circuit, failure) = (FailedFetch.CircuitState(), nil)
  }

  /// Counts a wait for the circuit breaker since `start` and for the gate since `queued`, and starts the clock.
  ///
  /// - Parameter extendsDeadline: True for the first wait at a target: the queue of another origin does not count
  ///   towards the load's time either.
  /// - Throws: ``LoadError/Kind/timeout`` when no time is left.
  func endWait(since start: Duration, queued: Duration, extendsDeadline: Bool) throws(LoadError) {
    let now = context.timeline.now
    queueTime += now - start
    guard let deadline else { return }
    let end = extendsDeadline ? deadline + (now - queued) : deadline
    self.deadline = end
    if now >= end { throw expired() }
  }

  /// Starts the load's time with its first attempt.
  func beginAttempt(validating validation: Validation?) {
    (self.validation, lastingFailure) = (validation, nil)
    if deadline == nil { deadline = context.timeline.now + context.limits.total }
  }

  /// The time that is left at `now`.
  func remaining(at now: Duration) -> Duration {
    deadline.map { max(.zero, $0 - now) } ?? context.limits.total
  }

  /// Counts a failed attempt; the circuit stays open for `remaining`.
  func noteFailure(_ failure: FailureClass, circuitRemaining remaining: Duration?) {
    failures += 1
    failedAttempts += 1
    if failure.isTransient, isAtOwnHost { ownRefusals += 1 }
    (circuit.remaining, circuit.isRequested) = (remaining, failure.asksForPause)
  }
}

// MARK: Redirects

extension Fetch {
  /// How many redirects a fetch follows in all with a limit of `limit` redirects in a row: twice as many, so that the
  /// origin of each cached redirect can be asked once.
  private static func mostFollowed(_ limit: Int) -> Int {
    let (most, isOverflow) = limit.multipliedReportingOverflow(by: 2)
    return isOverflow ? .max : most
  }

  /// Follows `redirect`. `timings` is the time that it took; nil when it came from disk.
  ///
  /// - Throws: ``LoadError/Kind/redirects`` beyond the limit; ``LoadError/Kind/malformedResponse`` for an invalid URL.
  private func follow(_ redirect: StoredResponse, after timings: TransferTimings?) throws(LoadError) {
    failure = nil
    let (limit, most) = (context.limits.redirects, Self.mostFollowed(context.limits.redirects))
    guard followed < most else {
      throw LoadError(
        .redirects, "more than \(most) redirects, including failed ones; the last one was from \(origin)"
      )
    }
    guard chain.count < limit else {
      throw LoadError(
        .redirects, "more than \(limit) redirects, the last one from \(origin); they may form a loop")
    }
    try chain.append(
      redirect, at: context.timeline.secondsSince1970, after: timings, identity: context.identity)
    followed += 1
    (knownEnd, circuit) = (nil, FailedFetch.CircuitState())
  }

  /// Follows `redirect`, the origin's `response`.
  @inline(never)
  func follow(_ redirect: StoredResponse, from response: TransportResponse) throws(LoadError) {
    chain.takeCookies(response.headers, at: context.timeline.secondsSince1970)
    do throws(LoadError) { try follow(redirect, after: response.timings) } catch {
      failure = report(attempts: failedAttempts + 1, exchange: FailedExchange(response))
      throw error
    }
  }

  /// Follows `redirect`, which came from disk; `mayReturn` when its origin was not asked.
  func follow(cached redirect: StoredResponse, mayReturn: Bool) throws(LoadError) {
    let before = chain
    try follow(redirect, after: nil)
    branches.append(
      Branch(chain: before, failedAttempts: failedAttempts, mayReturn: mayReturn, target: target))
  }

  /// Checks that the redirect of an origin has another target than a cached redirect that failed.
  ///
  /// - Throws: The failure of the cached redirect if the targets are equal; ``LoadError/cancelled`` if every caller has
  ///   left.
  func requireProgress() throws(LoadError) {
    if let failedBranch, failedBranch.target.key == target.key, failedBranch.target.url == target.url {
      failure = failedBranch.failure
      throw failedBranch.error
    }
    failedBranch = nil
    if body.giveUp() { throw .cancelled }
  }

  /// Returns to the last cached redirect after `error`, so that the load validates it at its origin. Without this, an origin
  /// that has moved its resources would fail until the redirect expires. Each redirect is validated once, the last first.
  ///
  /// - Throws: The error of the load if it has validated all redirects.
  @inline(never)
  func backtrack(after error: LoadError) throws(LoadError) {
    var (error, failure) = (error, failure ?? report(attempts: failedAttempts, exchange: nil))
    // The origin of the redirect was not asked: the target's failure says more.
    if let failedBranch, error.kind != .cancelled, failedAttempts == failedBranch.failedAttempts {
      (error, failure) = (failedBranch.error, failedBranch.failure)
    }
    (failedBranch, self.failure) = (nil, nil)
    while let branch = branches.popLast() {
      chain = branch.chain
      // An origin that said how long a failure lasts said so for its redirects, too.
      let isKnown = error.kind == .status && failedAttempts == branch.failedAttempts
      if branch.mayReturn, error.kind != .cancelled, error.kind != .busy, !isKnown,
        followed < Self.mostFollowed(context.limits.redirects), target.terms.mayAsk,
        !isLate(at: context.timeline.now), !body.giveUp()
      {
        failedBranch = FailedBranch(
          target: branch.target, error: error, failure: failure, failedAttempts: failedAttempts)
        (knownEnd, circuit) = (nil, FailedFetch.CircuitState())
        return
      }
    }
    failure.ownRefusals += ownRefusals
    body.fail(failure)
    throw error
  }
}
