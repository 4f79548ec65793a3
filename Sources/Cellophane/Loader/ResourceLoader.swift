internal import CellophaneCurl

/// A loader of decoded values, from memory, or by one shared load of the bytes and one decoding.
///
/// Any number of callers may request the same value at once; each waits and cancels alone.
public final actor ResourceLoader<Decoder: ResourceDecoder>: Coalescing {
  /// The type of the values.
  package typealias Value = Decoder.Value

  /// The key by which concurrent loads share one flight; see ``ByteLoader``.
  struct FlightKey: Hashable, Sendable {
    let resource: ResourceKey<Decoder.Options>
    let unkeyedHeaders: HeaderFields
    let policy: CachePolicy
  }

  var inFlight = InFlightTable<
    FlightKey, CoalescedWaiter<Loaded<Value>>, CoalescedWork<ValueFlight<Value>>
  >()
  /// The values in memory.
  public nonisolated let memory: MemoryCache<Decoder.Options, Decoder.Value>
  /// The loader of the bytes.
  public nonisolated let bytes: ByteLoader
  package nonisolated var timeline: Timeline { bytes.timeline }
  nonisolated var events: EventHub { bytes.events }
  nonisolated let decoder: Decoder
  nonisolated let decoding: Gate
  nonisolated let decodingMemory: DecodingMemory
  nonisolated let reuse: MemoryReuse
  nonisolated let results: StoredResults?
  /// True when keys need no query rules and values in memory always answer.
  @usableFromInline nonisolated let isPlain: Bool
  nonisolated let commits = CommitOrder<ResourceKey<Decoder.Options>>()
  nonisolated let refreshes = Refreshes<ResourceKey<Decoder.Options>, Loaded<Value>>()
  nonisolated let observers = UpdateObservers<ResourceKey<Decoder.Options>, Loaded<Value>>()

  /// Creates a loader that decodes the bytes of `bytes` with `decoder`.
  ///
  /// - Parameters:
  ///   - memory: The cache of values. Its limit bounds their total cost in bytes.
  ///   - reuse: The time for which values in memory answer.
  ///   - limits: The limits of concurrent decoding and its memory.
  ///   - results: The disk cache of values that are resized or processed, so that they are not made again after a restart;
  ///     nil for none. It may be the cache of `bytes`. A value is used as long as its response is valid.
  public init(
    bytes: ByteLoader, decoder: Decoder,
    memory: MemoryCache<Decoder.Options, Decoder.Value> = MemoryCache(), reuse: MemoryReuse = .untilEvicted,
    limits: DecodingLimits = DecodingLimits(), results: DiskCache? = nil
  ) {
    self.init(
      bytes: bytes, decoder: decoder, memory: memory, reuse: reuse, limits: limits, results: results,
      sharing: .ofProcess)
  }

  /// - Parameter shared: The budget of decoding if `limits` have no separate one.
  init(
    bytes: ByteLoader, decoder: Decoder, memory: MemoryCache<Decoder.Options, Decoder.Value>,
    reuse: MemoryReuse, limits: DecodingLimits, results: DiskCache? = nil, sharing shared: DecodingMemory
  ) {
    self.results = results.map(StoredResults.init)
    self.bytes = bytes
    self.decoder = decoder
    self.memory = memory
    self.reuse = reuse
    isPlain = bytes.context.identity == nil && reuse == .untilEvicted
    decoding = Gate(
      limits: GateQueue.Limits(
        total: limits.decoders, perOrigin: limits.decoders, reserved: 0, waiting: limits.maxWaiting ?? .max,
        weight: limits.workingBytes ?? shared.bytes))
    decodingMemory = limits.workingBytes == nil ? shared : .separate
  }

  /// Returns the value in memory without suspending, and marks it as used. See ``MemoryCache/value(for:row:)``.
  @inlinable
  public nonisolated func cached(_ request: Request<Decoder.Options>) -> Decoder.Value? {
    // Two calls: one key for both would be copied, which takes a third of a hit.
    if isPlain { return memory.value(for: request.key, row: request.row) }
    return cachedUntilItEnds(named(request))
  }

  /// Returns the value in memory unless it has ended.
  @usableFromInline
  nonisolated func cachedUntilItEnds(_ request: Request<Decoder.Options>) -> Decoder.Value? {
    memory.entry(for: request.key, row: request.row) { [timeline, reuse] in
      reuse == .untilStale && $0.hasEnded(at: timeline.now) ? .remove : .answer
    }?.value
  }

  @usableFromInline
  nonisolated func named(_ request: Request<Decoder.Options>) -> Request<Decoder.Options> {
    var named = bytes.named(request)
    named.accept = named.accept ?? decoder.acceptedTypes
    return named
  }

  /// Loads a value: from memory, or in one load per key that concurrent callers share.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` at once when the caller's task is cancelled;
  ///   ``LoadError/Kind/timeout`` at the deadline of the request.
  @specialized(where Decoder == ImageDecoder)
  public nonisolated func load(
    _ request: Request<Decoder.Options>
  ) async throws(LoadError) -> Loaded<Decoder.Value> {
    try await load(request, live: nil)
  }

  /// Loads a value with previews: the scans of a progressive image, or the rows so far. At most ten per second, from 0.1 s
  /// after the first bytes of the image. Only while bytes arrive from the origin, with a decoder that supports it, and
  /// when memory is available. A caller that joins late gets the newest preview at once.
  ///
  /// - Parameter onPreview: Called with each preview, on any thread. A preview in progress may arrive after the value.
  /// - Throws: ``LoadError``, like ``load(_:)``.
  @specialized(where Decoder == ImageDecoder)
  public nonisolated func load(
    _ request: Request<Decoder.Options>, onPreview: @escaping @Sendable (Decoder.Value) -> Void
  ) async throws(LoadError) -> Loaded<Decoder.Value> {
    try await load(request, live: nil, onPreview: onPreview)
  }

  /// Loads like ``load(_:)``. If the load of the bytes fails, `observer` receives its details.
  @specialized(where Decoder == ImageDecoder)
  public nonisolated func load(
    _ request: Request<Decoder.Options>, observer: FetchObserver
  ) async throws(LoadError) -> Loaded<Decoder.Value> {
    try await observer.observe { () throws(LoadError) in
      try await load(request, live: nil, observer: observer)
    }
  }

  /// Loads a value whose priority `live` changes while the load runs.
  @specialized(where Decoder == ImageDecoder)
  nonisolated func load(
    _ request: Request<Decoder.Options>, live: LivePriority?,
    onPreview: (@Sendable (Value) -> Void)? = nil, observer: FetchObserver? = nil,
    record: LoadRecord<Value>? = nil
  ) async throws(LoadError) -> Loaded<Value> {
    let request = named(request)
    // Fast path
    if let loaded = inMemory(request) { return loaded }
    // Slow path
    let viewer = onPreview.map(Viewer.init)
    defer { viewer?.leave() }
    return try await join(request, live: live, deadline: bytes.deadline(of: request)) { flight in
      flight.keepsValue()
      viewer?.watch(flight)
      observer?.join(flight)
      record?.join(flight)
    }
  }

  /// Returns the cost of `loaded` and its entry in memory, in bytes.
  nonisolated func cost(of loaded: Loaded<Value>) -> Int {
    let surplus = max(0, (loaded.response?.cost ?? 0) - MemoryCacheLimit.entryCost)
    let (cost, isTooLarge) = cost(of: loaded.value).addingReportingOverflow(surplus)
    return isTooLarge ? .max : cost
  }

  /// Returns the cost of `value` and its entry in memory, in bytes.
  package nonisolated func cost(of value: Value) -> Int {
    let (cost, isTooLarge) = decoder.cost(of: value).addingReportingOverflow(MemoryCacheLimit.entryCost)
    return isTooLarge ? .max : cost
  }

  /// The counters of the memory cache and of the byte loader.
  public nonisolated var counters: (memory: MemoryCounters, load: LoadCounters) {
    (memory.counters, events.counters)
  }

  /// The keys with waiters or a background refresh, and the running and waiting decodings. Both are zero when the loader is
  /// idle.
  public var activity: (inFlight: Int, decoding: Int) {
    let load = decoding.load
    return (inFlight.count + refreshes.count, load.running + load.waiting)
  }
}

extension ResourceLoader where Decoder == ImageDecoder {
  /// Creates a loader of PNG and JPEG over HTTP, with the defaults of all its parts.
  ///
  /// - Parameter directory: The directory of the disk cache; nil for no disk cache.
  public init(directory: String? = nil) {
    let disk = directory.map { DiskCache(directory: $0) }
    self.init(bytes: ByteLoader(transport: CurlTransport(), disk: disk), decoder: ImageDecoder())
  }
}

/// The loader of images.
public typealias ImageLoader = ResourceLoader<ImageDecoder>
