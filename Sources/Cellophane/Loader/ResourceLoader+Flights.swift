/// The shared work of one value: its bytes and their decoding, or the base from which it is derived.
extension ResourceLoader {
  /// Joins the flight of `request`, or starts it.
  ///
  /// - Parameters:
  ///   - live: The priority of the caller's own work, when that may change while it waits.
  ///   - deadline: The time after which this caller leaves; nil for none.
  ///   - watch: Called with the progress of the flight before it ends.
  @specialized(where Decoder == ImageDecoder)
  nonisolated func join(
    _ request: Request<Decoder.Options>, live: LivePriority?, deadline: Duration?,
    watch: @escaping @Sendable (ValueFlight<Value>) -> Void
  ) async throws(LoadError) -> Loaded<Value> {
    try await coalesce(
      FlightKey(
        resource: request.key, unkeyedHeaders: request.unkeyedHeaders, policy: request.cachePolicy),
      priority: request.priority, live: live, deadline: deadline, watch: watch
    ) { priority, flight throws(LoadError) in
      // A load of the same value may have ended between the first look-up and this one.
      if request.terms.mayUseMemory,
        let entry = self.memory.peekEntry(request.key, verdict: { self.verdict(on: $0, for: request) })
      {
        return self.hit(entry, for: request)
      }
      let number = self.commits.begin(request.key)
      defer { self.commits.end(request.key) }
      let made = try await self.make(request, priority: priority, flight: flight)
      return await self.commits.serialized(request.key) {
        self.commit(made, of: request, load: number, isKept: flight.isKept)
      }
    }
  }

  /// Returns `made` as the result of load `number`, and stores it in memory unless a later load was stored.
  ///
  /// - Parameter isKept: False for a value that was only needed to derive others. It replaces one that is in memory.
  private nonisolated func commit(
    _ made: Made<Value>, of request: Request<Decoder.Options>, load number: UInt64, isKept: Bool
  ) -> Loaded<Value> {
    let replaces = memory.expiry(of: request.key) != nil
    var loaded = made.loaded
    switch made.origin {
    case .bytes(let bytes):
      loaded.expiry = expiry(of: bytes, replacesExpiry: replaces)
      loaded.refresh = bytes.refresh.flatMap { refresh in
        loaded.expiry.map { self.refresh(request, over: $0, with: refresh) }
      }
    case .base(let expiry, let hasRefresh):
      // Each load without an expiry is another version: its bytes are not known here.
      loaded.expiry = expiry ?? (replaces ? Expiry(staleAt: .seconds(Int64.max), version: number) : nil)
      // Joins the refresh of the bytes.
      loaded.refresh =
        !hasRefresh
        ? nil
        : loaded.expiry.map {
          self.refresh(request, over: $0, with: self.bytes.refresh(ByteRequest(request)))
        }
    }
    if isKept || memory.contains(request.key), commits.commit(request.key, number),
      !loaded.isStale || loaded.refresh != nil
    {
      store(loaded, for: request, expiry: loaded.expiry)
    }
    return loaded
  }

  private nonisolated func make(
    _ request: Request<Decoder.Options>, priority: LivePriority, flight: ValueFlight<Value>
  ) async throws(LoadError) -> Made<Value> {
    if let results, request.mayBeStored, let form = decoder.resultForm(options: request.options) {
      return try await loadResult(request, as: form, in: results, priority: priority, flight: flight)
    }
    if let derivation = decoder.derivation(options: request.options) {
      return try await derive(request, by: derivation, priority: priority, flight: flight)
    }
    return try await loadAndDecode(request, priority: priority, previews: flight)
  }

  /// Loads the bytes of `request` and decodes them.
  private nonisolated func loadAndDecode(
    _ request: Request<Decoder.Options>, priority: LivePriority, previews: ValueFlight<Value>
  ) async throws(LoadError) -> Made<Value> {
    let (loaded, value) = try await loadAhead(request, priority: priority, previews: previews)
    if let value { return Made(value, from: loaded) }
    do throws(LoadError) {
      return Made(
        try await decode(loaded.bytes, for: request, priority: priority, flight: previews), from: loaded)
    } catch {
      guard let again = await self.again(request, after: error, of: loaded) else { throw error }
      return try await loadAndDecode(again, priority: priority, previews: previews)
    }
  }

  /// Loads the base of a derived value, with its previews, and derives the value.
  private nonisolated func derive(
    _ request: Request<Decoder.Options>, by derivation: Derivation<Decoder.Options, Value>,
    priority: LivePriority, flight: ValueFlight<Value>
  ) async throws(LoadError) -> Made<Value> {
    let previews = DerivedPreviews<Value>()
    defer {
      flight.whenWanted(nil)
      previews.end()
    }
    let base = try await join(request.decoded(with: derivation.base), live: priority, deadline: nil) { base in
      flight.setBase(base)
      flight.whenWanted {
        previews.begin(of: base, on: self.timeline) { preview in
          if let derived = try? await self.derived(from: preview, by: derivation) {
            flight.publish(derived)
          }
        }
      }
    }
    do throws(LoadError) {
      let value = try await derived(from: base.value, by: derivation, flight: flight)
      return Made(value, from: base)
    } catch {
      if error.kind != .cancelled { events.emit(.decodingFailed(request.key.response, error)) }
      throw error
    }
  }

  /// Derives a value off the actor, within the decoding limits.
  ///
  /// Steps begin before all waiting decodings, whatever their priority: their bases are in memory, and each decoding would
  /// add one.
  @concurrent
  nonisolated func derived(
    from base: Value, by derivation: Derivation<Decoder.Options, Value>, flight: ValueFlight<Value>? = nil
  ) async throws(LoadError) -> Value {
    try await withinLimits(priority: LivePriority(.visible), weight: derivation.workingBytes(base)) {
      () throws(LoadError) in
      let start = timeline.now
      let value = try derivation.derive(base)
      flight?.noteDecoding(timeline.now - start)
      return value
    }
  }

  /// Runs `body` when a place and `weight` bytes of memory are free.
  ///
  /// - Throws: ``LoadError/cancelled`` when the task was cancelled before; the errors of `body`.
  nonisolated func withinLimits<Result>(
    priority: LivePriority, weight: Int, _ body: () async throws(LoadError) -> Result
  ) async throws(LoadError) -> Result {
    try await decoding.run(for: nil, priority: priority, weight: weight) { () throws(LoadError) in
      try await decodingMemory.run(priority: priority, weight: weight) { () throws(LoadError) in
        if Task.isCancelled { throw .cancelled }
        return try await body()
      }
    }
  }
}

/// A value before it is stored, and where its expiry comes from.
struct Made<Value: Sendable> {
  enum Origin {
    case bytes(LoadedBytes)
    case base(Expiry?, hasRefresh: Bool)
  }

  /// The result of the load, without its expiry and refresh.
  let loaded: Loaded<Value>
  let origin: Origin

  init(_ value: Value, from bytes: LoadedBytes) {
    loaded = Loaded(
      value: value, source: bytes.source, response: bytes.response, isStale: bytes.isStale)
    origin = .bytes(bytes)
  }

  init(_ value: Value, from base: Loaded<Value>) {
    loaded = Loaded(value: value, source: base.source, response: base.response, isStale: base.isStale)
    origin = .base(base.expiry, hasRefresh: base.refresh != nil)
  }
}
