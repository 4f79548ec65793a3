/// The road from a URL to verified bytes: disk cache, gate, transport. Shared by every typed loader, so that
/// a picture, another size of it and its raw bytes cost one download.
public final actor ByteLoader: Coalescing {
  /// What a byte loader may use.
  public struct Configuration: Sendable {
    /// Transfers at once, in all. 16: enough to hide round trips to three busy hosts.
    public var transfers = 16
    /// Transfers at once, per origin. 6: what browsers open to an HTTP/1.1 host.
    public var transfersPerOrigin = 6
    /// Of both, places that only visible requests take. 2: a flick's newest rows start at once, although
    /// prefetching fills the rest.
    public var reservedForVisible = 2
    /// What one transfer may cost.
    public var limits = TransferLimits()

    /// The defaults.
    public init() {}
  }

  /// What one flight is for. A reload must not join a load that a cache may answer, and who has a new token
  /// must not wait for the refusal of the old one.
  struct FlightKey: Hashable, Sendable {
    let response: ResponseKey
    let credentials: HeaderFields
    let policy: CachePolicy
  }

  var inFlight = InFlightTable<FlightKey, CoalescedWaiter<LoadedBytes>, CoalescedWork<ArrivingBody>>()
  /// Where time comes from and where tasks run.
  public nonisolated let timeline: Timeline
  /// What happens in this loader and in those that stand on it.
  public nonisolated let events: EventHub
  /// The disk cache, if there is one.
  public nonisolated let disk: DiskCache?
  private nonisolated let transport: any Transport
  private nonisolated let gate: Gate
  private nonisolated let landings = LandingOrder<ResponseKey>()
  private nonisolated let limits: TransferLimits

  /// A loader over `transport`, with a disk cache or without.
  public init(
    transport: some Transport, disk: DiskCache? = nil, configuration: Configuration = Configuration(),
    timeline: Timeline = Timeline()
  ) {
    self.transport = transport
    self.disk = disk
    self.timeline = timeline
    events = EventHub(timeline: timeline)
    limits = configuration.limits
    gate = Gate(
      limits: GateQueue.Limits(
        total: configuration.transfers, perOrigin: configuration.transfersPerOrigin,
        reserved: configuration.reservedForVisible))
    disk?.onError { [weak events] in events?.emit(.diskFailed($0)) }
  }

  /// Loads the bytes of `request`: disk, then one shared transfer.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` at once when the caller's task is cancelled, while the
  ///   transfer goes on for others who wait for it, and is aborted when there are none.
  public nonisolated func load(
    _ request: Request<some Hashable & Sendable>
  ) async throws(LoadError) -> LoadedBytes {
    try await load(request, live: nil)
  }

  nonisolated func load(
    _ request: Request<some Hashable & Sendable>, live: LivePriority?,
    watch: (@Sendable (ArrivingBody) -> Void)? = nil
  ) async throws(LoadError) -> LoadedBytes {
    let key = request.key.response
    let policy = request.cachePolicy
    let credentials = request.credentials
    return try await coalesce(
      FlightKey(response: key, credentials: credentials, policy: policy), priority: request.priority,
      live: live, watch: watch
    ) { priority, body throws(LoadError) in
      defer { body.end(.useless) }
      if policy != .reload, let stored = await self.stored(key, anyAge: policy == .offline) { return stored }
      if policy == .offline {
        throw LoadError(.notCached, "\(key.url) is not cached, and the request forbids asking the origin")
      }
      let number = self.landings.begin(key)
      defer { self.landings.end(key) }
      let response = try await self.gate.withPlace(for: key.origin, priority: priority) {
        () throws(LoadError) in
        try await self.transfer(key, credentials: credentials, to: body)
      }
      if self.landings.land(key, number) { await self.keep(response, for: key) }
      return LoadedBytes(
        bytes: response.body, status: response.status, headers: response.headers, source: .network)
    }
  }

  /// Transfers running and waiting for a turn, and keys somebody waits for. All zero when nothing is left.
  public var activity: (running: Int, waiting: Int, inFlight: Int) {
    let load = gate.load
    return (load.running, load.waiting, inFlight.count)
  }

  private nonisolated func stored(_ key: ResponseKey, anyAge: Bool) async -> LoadedBytes? {
    // What is a file already has no second one.
    guard key.origin.scheme != "file", let stored = await disk?.response(for: key),
      anyAge || stored.isFresh(at: timeline.secondsSince1970)
    else { return nil }
    events.emit(.diskHit(key, bytes: stored.body.count))
    return LoadedBytes(bytes: stored.body, status: stored.status, headers: stored.headers, source: .disk)
  }

  private nonisolated func transfer(
    _ key: ResponseKey, credentials: HeaderFields, to body: ArrivingBody
  ) async throws(LoadError) -> TransportResponse {
    // Cancelled after its turn had come: nothing has begun that could be called a transfer.
    if Task.isCancelled { throw .cancelled }
    let start = timeline.now
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      var headers = key.headers
      for field in credentials.fields { headers.append(field.name, field.value) }
      let response = try await transport.exchange(
        TransportRequest(url: key.url, headers: headers, limits: limits, body: body))
      try response.requireSuccess()
      // A transport that did not hand over the body as it arrived gave it at the end.
      body.end(body.count == response.body.count ? .whole : .useless)
      events.emit(
        .transferFinished(key, bytes: response.body.count, duration: timeline.now - start))
      return response
    } catch {
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: body.count) : .transferFailed(key, error, bytes: body.count))
      throw error
    }
  }

  private nonisolated func keep(_ response: TransportResponse, for key: ResponseKey) async {
    guard let disk, key.origin.scheme != "file", response.mayBeKept(at: timeline.secondsSince1970) else {
      return
    }
    await disk.store(
      StoredResponse(
        status: response.status, headers: response.headers, body: response.body,
        storedAt: timeline.secondsSince1970),
      for: key)
  }
}

extension TransportResponse {
  /// False when a redirect on the way may point elsewhere before this response is stale. Each answer has
  /// a freshness of its own (RFC 9111, section 4.2), and one entry can only have one.
  fileprivate func mayBeKept(at now: Int64) -> Bool {
    let own = Freshness(status: status, headers: headers, storedAt: now).remaining(at: now)
    return redirects.allSatisfy { hop in
      let isPermanent = hop.status == 301 || hop.status == 308
      let says = CacheControl(hop.headers)
      if isPermanent, !says.noStore, !says.noCache, says.maxAge == nil, hop.headers["expires"] == nil {
        return true
      }
      let freshness = Freshness(status: hop.status, headers: hop.headers, storedAt: now)
      return !says.noStore && !freshness.requiresValidation && freshness.remaining(at: now) >= own
        && freshness.isFresh(at: now)
    }
  }

  /// - Throws: ``LoadError/Kind/status`` unless the status says that the whole resource is here.
  fileprivate func requireSuccess() throws(LoadError) {
    switch status {
    // Nobody asked for a part, so a 206 is not the whole (RFC 9110, section 15.3.7).
    case 206:
      throw LoadError(.malformedResponse, "\(url) answered with a part that was not asked for (206)")
    case 200..<300: return
    default:
      // 408 and 429 ask to try again later; a 5xx may pass (RFC 9110, sections 15.5.9 and 15.6).
      throw LoadError(
        .status, "\(url) answered \(status)", isRetryable: status == 408 || status == 429 || status >= 500,
        status: status)
    }
  }
}
