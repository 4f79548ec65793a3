/// A loader of the bytes of URLs, from the disk cache or over a transport.
///
/// All typed loaders share it, so that an image, a second size of it and its raw bytes cost one download.
public final actor ByteLoader: Coalescing {
  /// The key by which concurrent loads share one flight. A reload must not join a load that a cache may answer, and a
  /// request with new credentials must not wait for the response to old ones.
  struct FlightKey: Hashable, Sendable {
    let response: ResponseKey
    let unkeyedHeaders: HeaderFields
    let policy: CachePolicy
    let accept: String?
    /// True for the background refresh of a stale response.
    var isRefresh = false
  }

  var inFlight = InFlightTable<FlightKey, CoalescedWaiter<LoadedBytes>, CoalescedWork<SharedBody>>()
  nonisolated let context: FetchContext
  nonisolated let cache: ResponseCache
  nonisolated let origins: OriginClient
  /// The limits of the loads from sources. Separate, because a source may wait for a load of this loader.
  nonisolated let sources: Gate
  nonisolated let refreshes = Refreshes<FlightKey, LoadedBytes>()

  /// Creates a loader over `transport`, with a disk cache or without.
  public init(
    transport: some Transport, disk: DiskCache? = nil, configuration: Configuration = Configuration(),
    timeline: Timeline = Timeline()
  ) {
    self.init(
      transport: transport, disk: disk, configuration: configuration, timeline: timeline,
      bodies: .ofProcess)
  }

  /// - Parameter bodies: The memory for bodies. Nil without a limit: in virtual time, a load must not wait for those of
  ///   another world.
  package init(
    transport: some Transport, disk: DiskCache? = nil, configuration: Configuration = Configuration(),
    timeline: Timeline, bodies: BodyMemory?
  ) {
    context = FetchContext(configuration, timeline: timeline, bodies: bodies)
    cache = ResponseCache(disk, over: transport, in: context)
    origins = OriginClient(transport, configuration, in: context)
    sources = Gate(limits: .init(total: .max, perOrigin: configuration.transfersPerOrigin, reserved: 0))
  }

  /// Returns a loader with its own configuration over the transport and the disk cache of this one.
  package nonisolated func companion(_ configuration: Configuration) -> ByteLoader {
    ByteLoader(
      transport: origins.transport, disk: disk, configuration: configuration, timeline: timeline,
      bodies: context.bodies)
  }

  /// Loads the bytes of `request`: from disk, or in one transfer that concurrent callers share.
  ///
  /// - Throws: ``LoadError``. When the caller's task is cancelled, it throws ``LoadError/cancelled`` at once and the
  ///   transfer continues for other callers. Without other callers the transfer is aborted, unless its rest is
  ///   likely to arrive before a new request could begin.
  public nonisolated func load(
    _ request: Request<some Hashable & Sendable>
  ) async throws(LoadError) -> LoadedBytes {
    try await load(ByteRequest(named(request)), priority: request.priority, deadline: deadline(of: request))
      .withoutMemory
  }

  /// Loads like ``load(_:)``. After an error, ``FetchObserver/failure`` has the number of attempts and the last
  /// exchange.
  public nonisolated func load(
    _ request: Request<some Hashable & Sendable>, observer: FetchObserver
  ) async throws(LoadError) -> LoadedBytes {
    try await load(request, observer: observer, retries: nil).withoutMemory
  }

  /// Loads like ``load(_:observer:)``, with at most `retries` retries if the load begins a transfer; nil for those of the
  /// configuration.
  package nonisolated func load(
    _ request: Request<some Hashable & Sendable>, observer: FetchObserver, retries: Int?
  ) async throws(LoadError) -> LoadedBytes {
    try await observer.observe { () throws(LoadError) in
      try await load(
        ByteRequest(named(request), retries: retries), priority: request.priority,
        deadline: deadline(of: request)
      ) { observer.join($0) }
    }
  }

  /// Returns the time within which a load of `request` must end; nil for no deadline.
  nonisolated func deadline(of request: Request<some Hashable & Sendable>) -> Duration? {
    request.deadline ?? context.deadline
  }

  nonisolated func load(
    _ request: ByteRequest, priority: Priority, live: LivePriority? = nil, deadline: Duration? = nil,
    watch: (@Sendable (SharedBody) -> Void)? = nil
  ) async throws(LoadError) -> LoadedBytes {
    try await coalesce(request.flight, priority: priority, live: live, deadline: deadline, watch: watch) {
      priority, body throws(LoadError) in
      defer { body.end(.useless) }
      return try await self.run(Fetch(request, in: self.context, priority: priority, body: body))
    }
  }

  /// Runs `fetch` to its result: stored responses first, then origins, along redirects.
  nonisolated func run(_ fetch: Fetch) async throws(LoadError) -> LoadedBytes {
    if let source = fetch.request.source { return try await load(fetch, from: source) }
    while true {
      do throws(LoadError) {
        if let admit = context.admit { fetch.judge = try await admit(fetch.target.url) }
        let stored = disk == nil ? nil : try await fetch.counting { await cache.response(for: fetch) }
        if let stored, fetch.accepts(stored) {
          guard let loaded = try fetch.use(stored) else { continue }
          return loaded
        }
        try fetch.requireNetwork(stored)
        if let stored, fetch.accepts(whileRevalidating: stored) { return revalidate(fetch, over: stored) }
        do throws(LoadError) {
          if fetch.joinsRefresh, refreshes[fetch.request.flight] != nil {
            return try await awaitRefresh(fetch)
          }
          if let loaded = try await requestFromOrigin(fetch, validating: stored) { return loaded }
        } catch {
          guard let stored, !fetch.isRefresh, fetch.accepts(stored, after: error) else { throw error }
          if let loaded = try fetch.use(stored, insteadOf: error) { return loaded }
        }
      } catch {
        try fetch.backtrack(after: error)
      }
    }
  }

  /// Asks the origin of the target and commits its response. Returns nil after a redirect, which `fetch` follows.
  private nonisolated func requestFromOrigin(
    _ fetch: Fetch, validating stored: StoredResponse?
  ) async throws(LoadError) -> LoadedBytes? {
    try cache.requireNoKnownFailure(of: fetch)
    let (source, failedBefore) = (fetch.target, fetch.failedAttempts)
    let number = cache.commits.begin(source.key)
    defer { cache.commits.end(source.key) }
    let response: OriginResult
    do throws(LoadError) {
      response = try await cache.resuming(fetch) { () throws(LoadError) in
        try await origins.response(to: fetch, validating: stored)
      }
    } catch {
      // Only a response to this load, not one to another load of the same origin.
      if error.kind == .status, fetch.failedAttempts > failedBefore {
        await cache.commit(error, for: fetch, load: number)
      }
      throw error
    }
    switch response {
    case .resource(let response): return fetch.finish(await cache.commit(response, for: fetch, load: number))
    case .redirect(let response, let target, let askedAt):
      let redirect = StoredResponse(redirect: response, to: target, askedAt: askedAt)
      try fetch.follow(redirect, from: response)
      await cache.commit(redirect, from: source, to: fetch.target, load: number)
      try fetch.requireProgress()
      return nil
    }
  }

  /// Returns the time for which a transfer may continue after its last waiter has left; nil to cancel it at once.
  nonisolated func grace(for key: FlightKey, _ body: SharedBody, _ priority: Priority) -> Duration? {
    origins.grace(for: key, body, priority, hasDisk: disk != nil)
  }

  /// The slots of the gate in use, the transfers that wait for one, and the keys with waiters or a background refresh.
  /// All are zero when the loader is idle.
  public var activity: (running: Int, waiting: Int, inFlight: Int) {
    let load = origins.gate.load
    return (load.running, load.waiting, max(inFlight.count, refreshes.count))
  }
}

extension ByteLoader {
  /// The timeline on which the loader runs its tasks.
  public nonisolated var timeline: Timeline { context.timeline }
  /// The events of this loader and of the typed loaders that use it.
  public nonisolated var events: EventHub { context.events }
  /// The disk cache, if any.
  public nonisolated var disk: DiskCache? { cache.disk }

  /// The origins whose circuit is open, and for how long, in any order.
  package nonisolated var openCircuits: [(origin: Origin, remaining: Duration)] { origins.breaker.open }

  /// Returns for how long the circuit of `origin` stays open; nil when the origin accepts requests.
  package nonisolated func circuitRemaining(of origin: Origin) -> Duration? {
    origins.breaker.remaining(of: origin)
  }

  /// Waits for running loads, also if their callers have left, and for the pending work of the disk cache:
  /// see ``DiskCache/settle()``. Call it before a program ends; the loader remains usable.
  public nonisolated func settle() async {
    await cache.commits.emptied()
    await disk?.settle()
  }

  /// Returns `request` with the key that the query rules and the ignored header fields give it.
  nonisolated func named<Options>(_ request: Request<Options>) -> Request<Options> {
    let request = request.ignoring(context.ignoredHeaders)
    guard let identity = context.identity else { return request }
    return request.named(by: identity)
  }

  /// Returns the first 32 hexadecimal digits of the name of the request's file on disk: the hash of its key. Nil without a
  /// disk cache, and for a request that is never stored.
  package nonisolated func cacheKey(of request: Request<some Hashable & Sendable>) -> String? {
    disk == nil ? nil : requestKey(of: request)
  }

  /// Returns the hash that ``cacheKey(of:)`` returns, also without a disk cache.
  package nonisolated func requestKey(of request: Request<some Hashable & Sendable>) -> String? {
    guard let key = cache.diskKey(of: named(request).key.response).canonicalBytes else { return nil }
    return XXH3.hexadecimal(key)
  }

  /// Returns a hash that identifies a request with credentials, for which ``requestKey(of:)`` is nil.
  ///
  /// The credentials contribute 16 bits of their hash. A caller that stores this hash notices a change of the credentials,
  /// except in one of 65 536 cases. So few bits do not determine them, and exclude most guesses.
  package nonisolated func secretRequestKey(of request: Request<some Hashable & Sendable>) -> String {
    let key = cache.diskKey(of: named(request).key.response)
    let plain = ResponseKey(url: key.url, origin: key.origin, headers: key.headers, scope: .anonymous)
    var bytes = plain.canonicalBytes ?? []
    if case .secret(let fields) = key.scope {
      let text = fields.fields.map { "\($0.name): \($0.value)\n" }.joined()
      let check = XXH3.checksum(Array(text.utf8).span)
      bytes += [UInt8(truncatingIfNeeded: check), UInt8(truncatingIfNeeded: check >> 8)]
    }
    return XXH3.hexadecimal(bytes)
  }
}
