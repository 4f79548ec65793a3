/// Failed exchanges: what remains of the body, and whether to ask again.
extension OriginClient {
  /// Returns the outcome of `exchange`, which ended with `error`; nil for a second exchange with the same permit.
  func outcome(of exchange: Exchange, of fetch: Fetch, failedWith error: LoadError) -> Outcome? {
    let (permit, body) = (exchange.permit, exchange.body)
    if let origin = permit.refusedBy { return .refused(origin) }
    if let bytes = body.allowance?.lacking {
      breaker.succeeded(permit)
      return .lacksMemory(bytes)
    }
    if let refusal = body.refusal {
      breaker.succeeded(permit)
      fetch.partial = nil
      fetch.failedExchange = body.head.map(FailedExchange.init)
      return .failed(
        refusal, FailureClass(refusal, head: body.head, now: timeline.secondsSince1970), pause: .zero)
    }
    let isOtherVersion = error == .otherVersion(fetch.subject)
    if isOtherVersion && (fetch.validation != nil || fetch.partial != nil)
      || error.kind == .malformedResponse && body.resumption != nil
    {
      if body.head?.status == 416 { fetch.knownEnd = fetch.partial?.count }
      (fetch.validation, fetch.partial) = (nil, nil)
      return nil
    }
    let isResumable = keepPartial(of: exchange, of: fetch, failedWith: error)
    let failure = FailureClass(
      error, head: body.head, isResumable: isResumable, now: timeline.secondsSince1970)
    let pause = breaker.failed(
      permit, with: ExchangeFailure(key: fetch.target.key, error: error, failureClass: failure),
      failures: fetch.failures + 1)
    if !fetch.isLate(at: timeline.now),
      body.isResumptionRefused(with: error, failure, isElsewhere: permit.origin != fetch.origin)
    {
      fetch.partial?.isRefused = true
      return nil
    }
    fetch.failedExchange = body.failure
    return .failed(error, failure, pause: pause)
  }

  /// Updates the partial body of `fetch` after `exchange` ended with `error`. Returns true when it comes from this
  /// response.
  private func keepPartial(of exchange: Exchange, of fetch: Fetch, failedWith error: LoadError) -> Bool {
    let body = exchange.body
    // An interrupted body can be resumed; a malformed or too large one cannot, nor one that ends where the origin has no
    // more.
    let isFinal =
      fetch.target.headers.isConditional || error.kind == .malformedResponse || error.kind == .bodyTooLarge
    var rest =
      isFinal ? nil : Resumption(body, limit: context.limits.bodyBytes, askedAt: exchange.askedAt)
    if rest?.count == fetch.knownEnd { rest = nil }
    // A new version replaces the partial body of an older one.
    if body.version != nil { fetch.partial = rest }
    // The partial body is void when the origin accepts its range but sends nothing, or when another response has
    // taken all of the time.
    let isEmpty = body.isEmptyContinuation && error.kind != .cancelled
    let isStalled =
      error.kind == .timeout && fetch.isLate(at: timeline.now)
      && hasOtherResponseBegun(to: exchange, of: fetch)
    if isEmpty || isStalled || error.kind == .bodyTooLarge { fetch.partial = nil }
    return rest != nil
  }

  /// True when `exchange`, whose time is over, requested a range and got another response. A response without a head
  /// counts as begun after the time for a first byte.
  private func hasOtherResponseBegun(to exchange: Exchange, of fetch: Fetch) -> Bool {
    guard exchange.body.resumption != nil, exchange.body.version == nil else { return false }
    if exchange.body.head != nil { return true }
    guard let sentAt = fetch.body.running?.sentAt else { return false }
    return timeline.now - sentAt > context.limits.total / 3
  }
}

extension StreamingBody {
  /// True when this requested a range and `error` may be a response to that request alone. An origin that cannot be
  /// reached, asks for a pause or has no such resource would respond to any other request in the same way.
  fileprivate func isResumptionRefused(
    with error: LoadError, _ failure: FailureClass, isElsewhere: Bool
  ) -> Bool {
    guard resumption != nil, version == nil, !error.saysGone else { return false }
    return switch failure.scope {
    case .none, .resource: true
    case .origin: isElsewhere
    case .unknown: false
    }
  }
}
