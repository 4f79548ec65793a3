/// Values in memory that expire, and their background refresh.
extension ResourceLoader {
  /// The minimum time between two refreshes of one value when the first failed or brought no fresh value. 10 s: a list that
  /// is scrolled back and forth shows an image several times within seconds, and its origin is asked once.
  static var refreshPause: Duration { .seconds(10) }

  /// Returns the value in memory as the result of a load, without suspending. Starts its refresh when it is stale.
  @specialized(where Decoder == ImageDecoder)
  nonisolated func inMemory(_ request: Request<Decoder.Options>) -> Loaded<Value>? {
    guard request.terms.mayUseMemory,
      let entry = memory.entry(
        for: request.key, row: request.row, verdict: { verdict(on: $0, for: request) })
    else { return nil }
    return hit(entry, for: request)
  }

  /// Decides whether a value with `expiry` answers `request`.
  nonisolated func verdict(on expiry: Expiry, for request: Request<Decoder.Options>) -> ExpiryVerdict {
    guard reuse == .untilStale else { return .answer }
    let now = timeline.now
    // A stale value answers only while its origin is asked, which this request forbids.
    if now >= expiry.staleAt, !request.terms.mayAsk { return .skip }
    return expiry.hasEnded(at: now) ? .remove : .answer
  }

  /// Returns the value in memory that may answer, without marking it as used.
  nonisolated func peek(_ key: ResourceKey<Decoder.Options>) -> Value? {
    memory.peekEntry(key) { [timeline, reuse] in
      reuse == .untilStale && $0.hasEnded(at: timeline.now) ? .remove : .answer
    }?.value
  }

  /// Returns whether the value of `key` is in memory and may answer.
  nonisolated func holds(_ key: ResourceKey<Decoder.Options>) -> Bool {
    reuse == .untilStale ? peek(key) != nil : memory.contains(key)
  }

  /// Returns the expiry of a value made from `loaded`. A value that `replacesExpiry`, one with an expiry, has at least a
  /// version.
  nonisolated func expiry(of loaded: LoadedBytes, replacesExpiry: Bool) -> Expiry? {
    loaded.expiry(on: timeline, reuse: reuse, isRefreshed: bytes.context.refreshesInBackground)
      ?? (replacesExpiry ? Expiry(staleAt: .seconds(Int64.max), version: loaded.version) : nil)
  }

  /// Returns `entry` of the memory as the result of a load.
  nonisolated func hit(
    _ entry: MemoryCache<Decoder.Options, Value>.Found, for request: Request<Decoder.Options>
  ) -> Loaded<Value> {
    guard let expiry = entry.expiry else {
      return Loaded(value: entry.value, source: .memory, response: entry.response)
    }
    var refresh = refreshes[request.key]
    let isStale = timeline.now >= expiry.staleAt
    if refresh == nil, isStale, timeline.now >= expiry.pausedUntil, request.terms.mayAsk {
      refresh = self.refresh(request, over: expiry, with: bytes.refresh(ByteRequest(request)))
    }
    return Loaded(
      value: entry.value, source: .memory, response: entry.response, isStale: isStale, refresh: refresh,
      expiry: expiry)
  }

  /// Stores `loaded` in memory and notifies the observers of other versions.
  nonisolated func store(
    _ loaded: Loaded<Value>, for request: Request<Decoder.Options>, expiry: Expiry?
  ) {
    if expiry?.hasEnded(at: timeline.now) ?? false {
      memory.remove(request.key)
    } else {
      memory.insert(
        loaded.value, for: request.key, cost: cost(of: loaded), row: request.row, expiry: expiry,
        response: loaded.response)
    }
    if let expiry { observers.notify(request.key, expiry.version, loaded) }
  }

  /// Replaces the value in memory by the one made from `bytes`, once for all that show the old one.
  nonisolated func refresh(
    _ request: Request<Decoder.Options>, over old: Expiry, with bytes: Refresh<LoadedBytes>
  ) -> Refresh<Loaded<Value>> {
    refreshes.begin(request.key, on: timeline) {
      let number = self.commits.begin(request.key)
      defer { self.commits.end(request.key) }
      let loaded = await bytes.value
      let pausedUntil = self.timeline.now + Self.refreshPause
      let new = loaded.flatMap { self.expiry(of: $0, replacesExpiry: true) }?.paused(until: pausedUntil)
      var newer: Loaded<Value>?
      // A decoding failure is reported as an event and leaves the old value in memory.
      if let loaded, let new, new.version != old.version,
        let value = try? await self.decode(loaded, for: request.with(priority: .prefetch))
      {
        newer = Loaded(
          value: value, source: loaded.source, response: loaded.response, expiry: new)
      }
      return await self.commits.serialized(request.key) { [newer, new] in
        if let newer, self.commits.commit(request.key, number) {
          self.store(newer, for: request, expiry: new)
          return newer
        }
        guard self.memory.expiry(of: request.key)?.version == old.version else { return nil }
        if let new, new.version == old.version {
          if self.commits.commit(request.key, number) {
            self.memory.setExpiry(new, of: request.key, response: loaded?.response)
          }
        } else if self.commits.isNewest(request.key, number) {
          // A failed refresh, or bytes that cannot be decoded, say nothing about these bytes.
          self.memory.setExpiry(old.paused(until: pausedUntil), of: request.key)
        }
        return nil
      }
    }
  }

  /// Waits for a value of `request` that is made from other bytes than `version`; nil at once when the caller's task is
  /// cancelled.
  nonisolated func newer(
    than version: UInt64, for request: Request<Decoder.Options>
  ) async -> Loaded<Value>? {
    await observers.next(of: request.key, after: version) {
      guard let entry = memory.peekEntry(request.key), let expiry = entry.expiry, expiry.version != version
      else { return nil }
      return Loaded(
        value: entry.value, source: .memory, response: entry.response, expiry: expiry)
    }
  }
}

extension LoadedBytes {
  /// The checksum that distinguishes these bytes from others.
  ///
  /// - Complexity: linear in their number.
  fileprivate var version: UInt64 { XXH3.checksum(bytes.span) }

  /// Returns the expiry of a value made from these bytes: when their origin wants to be asked while they answer, if
  /// background refreshes are enabled (`isRefreshed`), and when they stop answering.
  fileprivate func expiry(
    on timeline: Timeline, reuse: MemoryReuse, isRefreshed: Bool
  ) -> Expiry? {
    if headers["cache-control"] == nil, reuse == .untilEvicted { return nil }
    let freshness = Freshness(status: status, headers: headers, storedAt: storedAt)
    // A response with `must-revalidate` is refreshed as well: its value would stay in memory forever otherwise.
    let window = isRefreshed && !freshness.requiresValidation ? freshness.staleWhileRevalidate : 0
    guard window > 0 || reuse == .untilStale else { return nil }
    let now = timeline.secondsSince1970
    let redirected = redirectedUntil.map { $0 - now } ?? .max
    let own = freshness.remaining(at: now)
    let staleAt = timeline.now + .seconds(max(0, min(own, redirected)))
    var endsAt: Duration?
    if reuse == .untilStale {
      let isUsable = !freshness.requiresValidation && !CacheControl(headers).noStore
      // The stale time that the target allows does not apply to the redirect.
      let usable = min(own + (freshness.forbidsStale ? 0 : window), redirected)
      endsAt = isUsable ? timeline.now + .seconds(max(0, usable)) : .zero
    }
    return Expiry(staleAt: staleAt, version: version, endsAt: endsAt)
  }
}
