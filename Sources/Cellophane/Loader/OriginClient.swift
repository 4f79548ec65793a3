/// Requests responses from origins: circuit breaker, gate, exchange, retry, resumption.
final class OriginClient: Sendable {
  /// The outcome of one permit: usually one exchange.
  enum Outcome {
    case responded(OriginResult)
    /// The circuit of this origin is open: that of the target, or of one to which a redirect leads.
    case refused(Origin)
    case failed(LoadError, FailureClass, pause: Duration)
    /// The body needs this number of bytes, and other loads hold the memory.
    case lacksMemory(Int)
  }

  let context: FetchContext
  let transport: any Transport
  /// True when the transport resumes within a compressed body.
  let resumesCoded: Bool
  let breaker: CircuitBreaker
  let gate: Gate
  let links: LinkEstimates

  init(_ transport: some Transport, _ configuration: ByteLoader.Configuration, in context: FetchContext) {
    self.context = context
    self.transport = transport
    resumesCoded = transport is any CodingContinuer
    breaker = CircuitBreaker(configuration.retry, timeline: context.timeline, events: context.events)
    links = LinkEstimates(mostAtOnce: configuration.transfersPerOrigin)
    gate = Gate(
      limits: GateQueue.Limits(
        total: configuration.transfers, perOrigin: configuration.transfersPerOrigin,
        reserved: configuration.reservedForVisible, waiting: configuration.maxWaiting ?? .max))
  }

  var timeline: Timeline { context.timeline }
  var events: EventHub { context.events }

  /// Returns the origin's response to `fetch`, after retries when failures are temporary. A load that waits for a retry or
  /// for an open circuit holds no slot of the gate.
  ///
  /// - Parameter stored: The stale response to revalidate, if any. When it may answer after a failure, there is no retry.
  func response(
    to fetch: Fetch, validating stored: StoredResponse?
  ) async throws(LoadError) -> OriginResult {
    let origin = fetch.origin
    // A stored redirect has no validators of use: its target is all that it says.
    let validation = stored.flatMap {
      $0.redirectTarget == nil ? Validation(of: $0, for: fetch.target.headers) : nil
    }
    fetch.beginAttempts()
    let failedBefore = fetch.failedAttempts
    var (awaited, isFirst) = (origin, true)
    var (lacking, refusals) = (Int?.none, 0)
    while true {
      let start = timeline.now
      try await waitForCircuit(of: awaited, fetch, stored)
      let queued = timeline.now
      let extendsDeadline = isFirst || lacking != nil
      try await fetch.waitForMemory(of: lacking.take())
      let watch = watchLimits(of: origin)
      defer { watch?.cancel() }
      let outcome = try await gate.run(
        for: origin, priority: fetch.priority, limits: links.limits(of: origin, at: timeline.now)
      ) { () throws(LoadError) -> Outcome in
        watch?.cancel()
        try fetch.endWait(since: start, queued: queued, extendsDeadline: extendsDeadline)
        isFirst = false
        guard let permit = breaker.permit(for: origin, fetch.target.key) else { return .refused(origin) }
        fetch.beginAttempt(validating: validation)
        return await attempt(fetch, with: permit)
      }
      switch outcome {
      case .responded(let response): return response.counted(attempts: fetch.failedAttempts + 1)
      case .refused(let origin):
        awaited = origin
        fetch.leaveUnusedMemory()
      case .lacksMemory(let bytes):
        // The whole memory the second time, because the first length was wrong: no load is refused a third time.
        lacking = refusals == 0 ? bytes : .max
        refusals += 1
        fetch.partial = nil
      case .failed(let error, let failure, let pause):
        fetch.noteFailure(failure, circuitRemaining: breaker.remaining(of: origin))
        // A caller that reschedules loads repeats a failed one by itself. Only the loader resumes a body.
        let isOfCaller =
          !context.retry.waitsForOrigins && (failure.scope != .none || fetch.circuit.remaining != nil)
        let isWorthwhile = failure.isTransient && pause <= context.retry.longestWait
        if isWorthwhile, isOfCaller, fetch.circuit.remaining == nil { fetch.circuit.retryDelay = pause }
        guard isWorthwhile, !isOfCaller,
          failedBefore + fetch.failures <= fetch.request.retries ?? context.retry.retries,
          !fetch.isLate(at: timeline.now + pause), !fetch.accepts(stored, after: error)
        else {
          fetch.fail(hasExchange: true)
          throw error
        }
        fetch.leaveUnusedMemory()
        events.emit(.retrying(fetch.request.key, error, after: pause))
        try await timeline.pause(for: pause)
      }
    }
  }

  /// Starts a task that updates the limits of `origin` while a load waits for transfers that may hang; nil where no load
  /// waits for the link.
  private func watchLimits(of origin: Origin) -> Task<Void, Never>? {
    guard let interval = links.patience(of: origin) else { return nil }
    return timeline.spawn { [gate, links, timeline] in
      while (try? await timeline.pause(for: interval)) != nil {
        gate.limit(origin, to: links.limits(of: origin, at: timeline.now))
      }
    }
  }

  /// Waits until the circuit of `origin` is closed. A load does not wait when `stored` may answer, nor to ask about a
  /// cached redirect whose target failed.
  private func waitForCircuit(
    of origin: Origin, _ fetch: Fetch, _ stored: StoredResponse?
  ) async throws(LoadError) {
    do throws(LoadError) {
      fetch.failures = try await breaker.wait(for: origin, failures: fetch.failures, until: fetch.deadline) {
        fetch.failedBranch == nil && !fetch.accepts(stored, after: $0)
      }
    } catch {
      fetch.circuit = FailedFetch.CircuitState(isRefused: true, remaining: breaker.remaining(of: origin))
      // The attempts of this load, not those of the half-open probe.
      fetch.fail(hasExchange: false)
      throw error
    }
  }

  /// Runs one exchange with `permit`, and a second one for the complete body when the response does not match the
  /// stored one or the origin does not resume.
  private func attempt(_ fetch: Fetch, with permit: CircuitBreaker.Permit) async -> Outcome {
    while true {
      let exchange = begin(fetch, with: permit)
      var isComplete = false
      defer {
        fetch.body.endExchange()
        exchange.body.leaveMemory()
        links.end(
          exchange.number, from: fetch.origin,
          with: ReceivedPart(bytes: exchange.body.count, isWhole: isComplete),
          isAwaited: fetch.body.isAwaited, at: timeline.now)
        gate.limit(fetch.origin, to: links.limits(of: fetch.origin, at: timeline.now))
      }
      do throws(LoadError) {
        let response = try await run(exchange, of: fetch)
        breaker.succeeded(permit)
        // A 304 or a redirect says nothing about how long a body takes.
        if case .resource(let resource) = response { isComplete = resource.source == .network }
        return .responded(response)
      } catch {
        if let outcome = outcome(of: exchange, of: fetch, failedWith: error) { return outcome }
      }
    }
  }
}
