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

  /// One flight per response and cache policy: a reload must not join a load that a cache may answer.
  struct FlightKey: Hashable, Sendable {
    let response: ResponseKey
    let policy: CachePolicy
  }

  var inFlight = InFlightTable<FlightKey, CoalescedWaiter<LoadedBytes>, CoalescedWork>()
  /// Where time comes from and where tasks run.
  public nonisolated let timeline: Timeline
  /// What happens in this loader and in those that stand on it.
  public nonisolated let events: EventHub
  /// The disk cache, if there is one.
  public nonisolated let disk: DiskCache?
  private nonisolated let transport: any Transport
  private nonisolated let gate: Gate
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
    _ request: Request<some Hashable & Sendable>, live: LivePriority?
  ) async throws(LoadError) -> LoadedBytes {
    let key = request.key.response
    let policy = request.cachePolicy
    let credentials = request.credentials
    return try await coalesce(
      FlightKey(response: key, policy: policy), priority: request.priority, live: live
    ) { priority throws(LoadError) in
      if policy != .reload, let stored = await self.stored(key, anyAge: policy == .offline) { return stored }
      if policy == .offline {
        throw LoadError(.notCached, "\(key.url) is not cached, and the request forbids asking the origin")
      }
      return try await self.gate.withPlace(for: key.origin, priority: priority) { () throws(LoadError) in
        try await self.transfer(key, credentials: credentials)
      }
    }
  }

  /// Transfers running and waiting for a turn, and keys somebody waits for. All zero when nothing is left.
  public var activity: (running: Int, waiting: Int, inFlight: Int) {
    let load = gate.load
    return (load.running, load.waiting, inFlight.count)
  }

  private nonisolated func stored(_ key: ResponseKey, anyAge: Bool) async -> LoadedBytes? {
    guard let stored = await disk?.response(for: key),
      anyAge || stored.isFresh(at: timeline.secondsSince1970)
    else { return nil }
    events.emit(.diskHit(key, bytes: stored.body.count))
    return LoadedBytes(bytes: stored.body, status: stored.status, headers: stored.headers, source: .disk)
  }

  private nonisolated func transfer(
    _ key: ResponseKey, credentials: HeaderFields
  ) async throws(LoadError) -> LoadedBytes {
    let meter = TransferMeter()
    let start = timeline.now
    events.emit(.transferStarted(key))
    do throws(LoadError) {
      var headers = key.headers
      for field in credentials.fields { headers.append(field.name, field.value) }
      let response = try await transport.exchange(
        TransportRequest(url: key.url, headers: headers, limits: limits, meter: meter))
      try response.requireSuccess()
      events.emit(
        .transferFinished(key, bytes: response.body.count, duration: timeline.now - start))
      await keep(response, for: key)
      return LoadedBytes(
        bytes: response.body, status: response.status, headers: response.headers, source: .network)
    } catch {
      events.emit(
        error.kind == .cancelled
          ? .transferAborted(key, bytes: meter.bytes) : .transferFailed(key, error, bytes: meter.bytes))
      throw error
    }
  }

  private nonisolated func keep(_ response: TransportResponse, for key: ResponseKey) async {
    // What is a file already needs no second one.
    guard let disk, key.origin.scheme != "file" else { return }
    await disk.store(
      StoredResponse(
        status: response.status, headers: response.headers, body: response.body,
        storedAt: timeline.secondsSince1970),
      for: key)
  }
}

extension TransportResponse {
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
