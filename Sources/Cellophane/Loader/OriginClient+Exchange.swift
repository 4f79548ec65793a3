/// One exchange with an origin.
extension OriginClient {
  /// An exchange in progress.
  struct Exchange {
    let permit: CircuitBreaker.Permit
    /// The number of the transfer on its link.
    let number: UInt64
    /// The body for the transport to fill.
    let body: StreamingBody
    /// The time at which it was prepared, in seconds since 1970.
    let askedAt: Int64
  }

  /// Prepares an exchange for the target of `fetch`, which resumes from its partial body if possible. ``run(_:of:)``
  /// sends the request.
  func begin(_ fetch: Fetch, with permit: CircuitBreaker.Permit) -> Exchange {
    let askedAt = timeline.secondsSince1970
    let (origin, target) = (fetch.origin, fetch.target)
    let number = links.expect(from: origin, at: timeline.now)
    let body = fetch.body.begin(
      target.key,
      behind: fetch.partial.flatMap { $0.isRefused || $0.coded != nil && !resumesCoded ? nil : $0 },
      keepsCoded: resumesCoded && !target.headers.isConditional, memory: fetch.memory,
      judge: fetch.judge, judgeBody: context.judgeBody,
      onSent: { [links, timeline] handshakes in
        if let handshakes { links.latencies.note(handshakes: handshakes, of: origin) }
        return timeline.now
      },
      onHead: { [breaker, links, timeline] head in
        let now = timeline.now
        links.begin(number, from: origin, at: now)
        if !FailureClass.isTemporary(head.status) { breaker.succeeded(permit) }
        if head.redirects.isEmpty {
          links.latencies.note(head.timeToFirstByte, isShared: head.sharesConnection, of: origin)
        }
        return now
      })
    return Exchange(permit: permit, number: number, body: body, askedAt: askedAt)
  }

  /// Runs `exchange` and interprets its response.
  func run(_ exchange: Exchange, of fetch: Fetch) async throws(LoadError) -> OriginResult {
    // Cancelled after the gate admitted it: no transfer has begun.
    if Task.isCancelled { throw .cancelled }
    let (key, start) = (fetch.request.key, timeline.now)
    var limits = context.limits
    limits.total = fetch.remaining(at: start)
    // An origin that does not respond to a range request must leave time for a request of the complete body, which
    // takes longer.
    if exchange.body.resumption != nil { limits.firstByte = min(limits.firstByte, limits.total / 3) }
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      let response = try await transport.exchange(request(exchange, of: fetch, within: limits))
      if let target = response.target {
        events.emit(.transferFinished(key, bytes: 0, duration: timeline.now - start))
        return .redirect(response, to: target, askedAt: exchange.askedAt)
      }
      return .resource(try accept(response, to: exchange, of: fetch, begun: start))
    } catch {
      let error = ofLoad(error, of: fetch, given: limits.total)
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: exchange.body.count)
          : .transferFailed(key, error, bytes: exchange.body.count))
      throw error
    }
  }

  private func request(
    _ exchange: Exchange, of fetch: Fetch, within limits: TransferLimits
  ) -> TransportRequest {
    var fields = fetch.target.headers
    if let validation = fetch.validation { fields.append(validation.fields) }
    if let resumption = exchange.body.resumption { fields.append(resumption.fields(with: fields)) }
    let permit = exchange.permit
    var request = TransportRequest(
      url: fetch.target.url, headers: fields, limits: limits, body: exchange.body,
      priority: fetch.priority.current
    ) { [breaker] origin throws(LoadError) in try breaker.move(permit, to: origin) }
    // The target of a redirect has its own circuit, link and stored response.
    request.followsRedirects = false
    request.redirects = fetch.chain.count
    return request
  }

  /// Interprets `response`, whose transfer began at `start`.
  private func accept(
    _ response: TransportResponse, to exchange: Exchange, of fetch: Fetch, begun start: Duration
  ) throws(LoadError) -> FetchedResponse {
    let resource: FetchedResponse
    do throws(LoadError) {
      resource = try FetchedResponse(
        response, to: fetch, arriving: exchange.body, askedAt: exchange.askedAt,
        now: timeline.secondsSince1970)
    } catch {
      if error.kind == .status {
        fetch.lastingFailure = response.lastingFailure(
          askedAt: exchange.askedAt, now: timeline.secondsSince1970)
      }
      exchange.body.fail(FailedExchange(response))
      throw error
    }
    // A transport that does not stream the body has loaded it.
    if let refusal = fetch.judge(resource.response.headers) { throw refusal }
    let key = fetch.request.key
    // A transport that does not stream the body has returned it with the response.
    let isStreamed = resource.source == .network && exchange.body.count == response.body.count
    fetch.body.end(isStreamed ? .whole : .useless)
    let saved = fetch.body.endExchange()
    let received = resource.source == .network ? response.body.count : 0
    events.emit(.transferFinished(key, bytes: received, duration: timeline.now - start))
    if let saved { events.emit(.finishedUnawaited(key, saved: saved)) }
    if let resumption = exchange.body.resumption, response.status == 206 {
      events.emit(.resumed(key, bytes: resumption.bytes.count))
    }
    if resource.source == .disk { events.emit(.revalidated(key, bytes: resource.response.body.count)) }
    return resource
  }

  /// Returns the error of a load whose transfer failed with `error`. The message of a transport's timeout has the time
  /// `given` to the transfer. After earlier attempts that is only the rest of the load's time, so a load whose time is
  /// over gets a message with its complete time.
  private func ofLoad(_ error: LoadError, of fetch: Fetch, given: Duration) -> LoadError {
    guard error.kind == .timeout, given < context.limits.total, fetch.isLate(at: timeline.now) else {
      return error
    }
    return .late(fetch.origin, after: context.limits.total)
  }
}
