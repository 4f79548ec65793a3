/// The part of the road that leads past values in memory which their origin wants to be asked about.
extension ResourceLoader {
  /// The least time between two refreshes of one value when the first failed, or brought nothing fresh. 10 s: a list
  /// that is flicked back and forth shows a picture several times within seconds, and asks about it once.
  static var refreshPause: Duration { .seconds(10) }

  /// The value in memory as a load gives it, without suspending. When its origin wants to be asked about it, that is
  /// begun.
  @specialized(where Decoder == ImageDecoder)
  nonisolated func inMemory(_ request: Request<Decoder.Options>) -> Loaded<Value>? {
    guard memoryMayAnswer(request) else { return nil }
    expire(request.key)
    let perishable = memory.perishable(of: request.key)
    guard let value = memory.value(for: request.key, row: request.row) else { return nil }
    return hit(value, perishable, for: request)
  }

  /// False when what is in memory must not answer `request`, whatever it is or because of its age.
  nonisolated func memoryMayAnswer(_ request: Request<Decoder.Options>) -> Bool {
    guard request.terms.mayUseMemory else { return false }
    guard reuse == .untilStale, !request.terms.mayAsk else { return true }
    // What is stale answers while its origin is asked, and nobody would ask.
    return memory.perishable(of: request.key).map { timeline.now < $0.dueAt } ?? true
  }

  /// The value in memory that may answer, without it being used.
  nonisolated func peek(_ key: ResourceKey<Decoder.Options>) -> Value? {
    expire(key)
    return memory.peek(key)
  }

  /// Forgets the value of `key` when it may not answer any more.
  nonisolated func expire(_ key: ResourceKey<Decoder.Options>) {
    guard reuse == .untilStale, let end = memory.perishable(of: key)?.endsAt, timeline.now >= end else {
      return
    }
    memory.remove(key)
  }

  /// What is to be known of a value made of `loaded`. When it `follows` another one of which something was known, that
  /// is at least which bytes it was made of.
  nonisolated func perishable(_ loaded: LoadedBytes, follows: Bool) -> Perishable? {
    loaded.perishable(on: timeline, reuse: reuse, isRefreshed: bytes.context.refreshesInBackground)
      ?? (follows ? Perishable(dueAt: .seconds(Int64.max), version: loaded.version) : nil)
  }

  /// What a load gives that found `value` in memory, and just before that `perishable`. Not the other way round: when another
  /// value comes between the two, who follows it is told of that once more, where it would stay with the older for good.
  nonisolated func hit(
    _ value: Value, _ perishable: Perishable?, for request: Request<Decoder.Options>
  ) -> Loaded<Value> {
    guard let perishable else { return Loaded(value: value, source: .memory) }
    var refresh = refreshes[request.key]
    let isStale = timeline.now >= perishable.dueAt
    if refresh == nil, isStale, timeline.now >= perishable.pausedUntil, request.terms.mayAsk {
      refresh = self.refresh(request, over: perishable, with: bytes.refresh(ByteRequest(request)))
    }
    return Loaded(
      value: value, source: .memory, isStale: isStale, refresh: refresh, version: perishable.version)
  }

  /// Keeps `value` in memory, and tells those who show another version of it.
  nonisolated func keep(
    _ loaded: Loaded<Value>, for request: Request<Decoder.Options>, perishable: Perishable?
  ) {
    if perishable?.endsAt.map({ timeline.now < $0 }) ?? true {
      memory.insert(
        loaded.value, for: request.key, cost: cost(of: loaded.value), row: request.row, perishable: perishable
      )
    } else {
      memory.remove(request.key)
    }
    if let perishable { followers.tell(request.key, perishable.version, loaded) }
  }

  /// Puts what comes of `bytes` in place of the value in memory, once for all who see the old one.
  nonisolated func refresh(
    _ request: Request<Decoder.Options>, over old: Perishable, with bytes: Refresh<LoadedBytes>
  ) -> Refresh<Loaded<Value>> {
    refreshes.begin(request.key, on: timeline) {
      let number = self.landings.begin(request.key)
      defer { self.landings.end(request.key) }
      let loaded = await bytes.value
      let pausedUntil = self.timeline.now + Self.refreshPause
      var new = loaded.flatMap { self.perishable($0, follows: true) }
      new?.pausedUntil = pausedUntil
      var newer: Loaded<Value>?
      // A failure to decode is told as an event, and leaves the old value where it is.
      if let loaded, let new, new.version != old.version,
        let value = try? await self.decode(loaded, for: request.with(priority: .prefetch))
      {
        newer = Loaded(value: value, source: loaded.source, version: new.version)
      }
      return await self.landings.serialized(request.key) { [newer, new] in
        if let newer, self.landings.commit(request.key, number) {
          self.keep(newer, for: request, perishable: new)
          return newer
        }
        guard self.memory.perishable(of: request.key)?.version == old.version else { return nil }
        if let new, new.version == old.version {
          if self.landings.commit(request.key, number) { self.memory.update(new, of: request.key) }
        } else if self.landings.isNewest(request.key, number) {
          // Other bytes that are none say nothing of these.
          var stale = old
          stale.pausedUntil = pausedUntil
          self.memory.update(stale, of: request.key)
        }
        return nil
      }
    }
  }

  /// Waits for a value of `request` that is made of other bytes than the one of `version`; nil at once when the
  /// caller's task is cancelled.
  nonisolated func newer(
    than version: UInt64, for request: Request<Decoder.Options>
  ) async -> Loaded<Value>? {
    await followers.next(of: request.key, after: version) {
      guard let perishable = memory.perishable(of: request.key), perishable.version != version else {
        return nil
      }
      return memory.peek(request.key).map {
        Loaded(value: $0, source: .memory, version: perishable.version)
      }
    }
  }
}

extension LoadedBytes {
  /// Tells these bytes from others.
  ///
  /// - Complexity: linear in their number.
  fileprivate var version: UInt64 { XXH3.checksum(bytes.span) }

  /// What is to be known of a value made of these bytes: when their origin wants to be asked while they answer, if that
  /// is done in the background (`isRefreshed`), and when they end.
  fileprivate func perishable(
    on timeline: Timeline, reuse: MemoryReuse, isRefreshed: Bool
  ) -> Perishable? {
    if headers["cache-control"] == nil, reuse == .untilEvicted { return nil }
    let freshness = Freshness(status: status, headers: headers, storedAt: storedAt)
    // What must not be used stale (`must-revalidate`) is asked about, too: in memory it would stay for ever.
    let window = isRefreshed && !freshness.requiresValidation ? freshness.staleWhileRevalidate : 0
    guard window > 0 || reuse == .untilStale else { return nil }
    let now = timeline.secondsSince1970
    let redirected = redirectedUntil.map { $0 - now } ?? .max
    let own = freshness.remaining(at: now)
    let dueAt = timeline.now + .seconds(max(0, min(own, redirected)))
    var endsAt: Duration?
    if reuse == .untilStale {
      let isUsable = !freshness.requiresValidation && !CacheControl(headers).noStore
      // What the target allows when it is stale is not said of the redirect.
      let usable = min(own + (freshness.forbidsStale ? 0 : window), redirected)
      endsAt = isUsable ? timeline.now + .seconds(max(0, usable)) : .zero
    }
    return Perishable(dueAt: dueAt, version: version, endsAt: endsAt)
  }
}
