/// The road from a request to a decoded value: memory, then one shared load of the bytes and one decoding.
///
/// Any number of callers may ask for the same value at once; each waits and cancels alone.
public final actor ResourceLoader<Decoder: ResourceDecoder>: Coalescing {
  /// What it loads.
  public typealias Value = Decoder.Value

  /// What one flight is for; see ``ByteLoader``.
  struct FlightKey: Hashable, Sendable {
    let resource: ResourceKey<Decoder.Options>
    let unkeyedHeaders: HeaderFields
    let policy: CachePolicy
  }

  var inFlight = InFlightTable<
    FlightKey, CoalescedWaiter<Loaded<Value>>, CoalescedWork<PreviewSubscribers<Value>>
  >()
  /// The values in memory.
  public nonisolated let memory: MemoryCache<Decoder.Options, Value>
  /// Where the bytes come from.
  public nonisolated let bytes: ByteLoader
  package nonisolated var timeline: Timeline { bytes.timeline }
  nonisolated var events: EventHub { bytes.events }
  nonisolated let decoder: Decoder
  nonisolated let decoding: Gate
  nonisolated let reuse: MemoryReuse
  /// True when a request names its value as it is, and what is in memory answers.
  @usableFromInline nonisolated let isPlain: Bool
  nonisolated let landings = CommitOrder<ResourceKey<Decoder.Options>>()
  nonisolated let refreshes = Refreshes<ResourceKey<Decoder.Options>, Loaded<Value>>()
  nonisolated let followers = UpdateObservers<ResourceKey<Decoder.Options>, Loaded<Value>>()

  /// A loader of what `decoder` makes of the bytes that `bytes` loads.
  ///
  /// - Parameters:
  ///   - memory: The values it keeps. Its limit bounds their total cost in bytes.
  ///   - reuse: For how long they answer.
  ///   - limits: How many decode at once, and how much memory they may use for it.
  public init(
    bytes: ByteLoader, decoder: Decoder,
    memory: MemoryCache<Decoder.Options, Value> = MemoryCache(), reuse: MemoryReuse = .untilEvicted,
    limits: DecodingLimits = DecodingLimits()
  ) {
    self.bytes = bytes
    self.decoder = decoder
    self.memory = memory
    self.reuse = reuse
    isPlain = bytes.context.identity == nil && reuse == .untilEvicted
    decoding = Gate(
      limits: GateQueue.Limits(
        total: limits.decoders, perOrigin: limits.decoders, reserved: 0, weight: limits.workingBytes))
  }

  /// The value in memory, without suspending; it was used now. See ``MemoryCache/value(for:row:)``.
  @inlinable
  public nonisolated func cached(_ request: Request<Decoder.Options>) -> Value? {
    // Two calls: one key for both would be copied, which takes a third of a hit.
    if isPlain { return memory.value(for: request.key, row: request.row) }
    return memory.value(for: current(request).key, row: request.row)
  }

  /// The request by its name, whose value in memory is gone if it may not answer any more.
  @usableFromInline
  nonisolated func current(_ request: Request<Decoder.Options>) -> Request<Decoder.Options> {
    let request = named(request)
    expire(request.key)
    return request
  }

  nonisolated func named(_ request: Request<Decoder.Options>) -> Request<Decoder.Options> {
    bytes.named(request)
  }

  /// Loads a value: memory, then one shared load per key.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` at once when the caller's task is cancelled.
  @specialized(where Decoder == ImageDecoder)
  public nonisolated func load(
    _ request: Request<Decoder.Options>
  ) async throws(LoadError) -> Loaded<Value> {
    try await load(request, live: nil)
  }

  /// The same, with previews on the way: a progressive picture's scans or the rows so far, at most ten a second,
  /// once the load takes longer than a tenth of one. Only while bytes arrive from the origin, only with a
  /// decoder that can, and only when there is memory to spare. Whoever joins late gets the newest at once.
  ///
  /// - Parameter onPreview: Gets each preview, on no particular thread. One that is under way when the load
  ///   ends may come after its value.
  /// - Throws: ``LoadError``, as without.
  @specialized(where Decoder == ImageDecoder)
  public nonisolated func load(
    _ request: Request<Decoder.Options>, onPreview: @escaping @Sendable (Value) -> Void
  ) async throws(LoadError) -> Loaded<Value> {
    try await load(request, live: nil, onPreview: onPreview)
  }

  /// The same; `live` changes the priority while the load runs.
  @specialized(where Decoder == ImageDecoder)
  nonisolated func load(
    _ request: Request<Decoder.Options>, live: LivePriority?,
    onPreview: (@Sendable (Value) -> Void)? = nil
  ) async throws(LoadError) -> Loaded<Value> {
    let request = named(request)
    // Fast path
    if let loaded = inMemory(request) { return loaded }
    // Slow path
    let viewer = onPreview.map(Viewer.init)
    defer { viewer?.leave() }
    return try await coalesce(
      FlightKey(
        resource: request.key, unkeyedHeaders: request.unkeyedHeaders, policy: request.cachePolicy),
      priority: request.priority, live: live, watch: { viewer?.watch($0) }
    ) { priority, previews throws(LoadError) in
      // A load of the same value may have ended between the first look and this one.
      let known = self.memory.perishable(of: request.key)
      if self.memoryMayAnswer(request), let value = self.peek(request.key) {
        return self.hit(value, known, for: request)
      }
      let number = self.landings.begin(request.key)
      defer { self.landings.end(request.key) }
      let (bytes, value) = try await self.loadAndDecode(request, priority: priority, previews: previews)
      return await self.landings.serialized(request.key) {
        let follows = self.memory.perishable(of: request.key) != nil
        let perishable = self.perishable(bytes, follows: follows)
        let refresh = bytes.refresh.flatMap { refresh in
          perishable.map { self.refresh(request, over: $0, with: refresh) }
        }
        let loaded = Loaded(
          value: value, source: bytes.source, isStale: bytes.isStale, refresh: refresh,
          version: perishable?.version)
        if self.landings.commit(request.key, number), !loaded.isStale || refresh != nil {
          self.keep(loaded, for: request, perishable: perishable)
        }
        return loaded
      }
    }
  }

  private nonisolated func loadAndDecode(
    _ request: Request<Decoder.Options>, priority: LivePriority, previews: PreviewSubscribers<Value>
  ) async throws(LoadError) -> (bytes: LoadedBytes, value: Value) {
    let (loaded, value) = try await loadAhead(request, priority: priority, previews: previews)
    if let value { return (loaded, value) }
    do throws(LoadError) {
      return (loaded, try await decode(loaded.bytes, for: request, priority: priority))
    } catch {
      guard let again = await self.again(request, after: error, of: loaded) else { throw error }
      return try await loadAndDecode(again, priority: priority, previews: previews)
    }
  }

  /// What to ask for instead when decoding `loaded` gave `error`: what is damaged was removed from disk, and the origin may
  /// have it whole by now. Nil when that is of no use.
  private nonisolated func again(
    _ request: Request<Decoder.Options>, after error: LoadError, of loaded: LoadedBytes
  ) async -> Request<Decoder.Options>? {
    guard error.isDamage, request.terms.mayAsk else { return nil }
    if let targetKey = loaded.targetKey { await bytes.cache.remove(targetKey) }
    guard loaded.source == .disk else { return nil }
    var again = request
    again.cachePolicy = .reload
    return again
  }

  /// What `value` costs in memory, in bytes, its entry included.
  public nonisolated func cost(of value: Value) -> Int {
    let (cost, isTooLarge) = decoder.cost(of: value).addingReportingOverflow(MemoryCacheLimit.entryCost)
    return isTooLarge ? .max : cost
  }

  /// What happened in the memory cache of this loader, and in the byte loader below it.
  public nonisolated var counters: (memory: MemoryCounters, load: LoadCounters) {
    (memory.counters, events.counters)
  }

  /// Keys somebody waits for or that are refreshed in the background, and decodings running or waiting. Both zero
  /// when nothing is left.
  public var activity: (inFlight: Int, decoding: Int) {
    let load = decoding.load
    return (inFlight.count + refreshes.count, load.running + load.waiting)
  }

  /// Decodes bytes that were loaded before, off the actor, within the limits of all decoding.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` when the task is cancelled before or while it decodes.
  public nonisolated func decode(
    _ loaded: LoadedBytes, for request: Request<Decoder.Options>
  ) async throws(LoadError) -> Value {
    try await decode(loaded.bytes, for: named(request), priority: LivePriority(request.priority))
  }

  /// Decodes `loaded`, or when that is damaged and came from disk, what the origin has now.
  ///
  /// - Returns: The value, and the bytes that it was made of.
  package nonisolated func decodeOrReload(
    _ loaded: LoadedBytes, for request: Request<Decoder.Options>
  ) async throws(LoadError) -> (bytes: LoadedBytes, value: Value) {
    do throws(LoadError) { return (loaded, try await decode(loaded, for: request)) } catch {
      guard let again = await self.again(request, after: error, of: loaded) else { throw error }
      return try await decodeOrReload(try await bytes.load(again), for: again)
    }
  }

  @concurrent
  private nonisolated func decode(
    _ bytes: [UInt8], for request: Request<Decoder.Options>, priority: LivePriority
  ) async throws(LoadError) -> Value {
    do throws(LoadError) {
      let weight = try decoder.workingBytes(for: bytes, options: request.options)
      return try await decoding.run(
        for: nil, priority: priority, weight: weight
      ) { () throws(LoadError) in
        if Task.isCancelled { throw .cancelled }
        let start = timeline.now
        let value = try await decoder.decode(bytes, options: request.options)
        events.emit(
          .decoded(request.key.response, cost: cost(of: value), duration: timeline.now - start))
        return value
      }
    } catch {
      if error.kind != .cancelled { events.emit(.decodingFailed(request.key.response, error)) }
      // Damage must not be answered from disk until it expires; but offline there is nothing better.
      if error.isDamage, request.terms.mayAsk { await self.bytes.cache.remove(request.key.response) }
      throw error
    }
  }
}

/// The loader of images.
public typealias ImageLoader = ResourceLoader<ImageDecoder>
