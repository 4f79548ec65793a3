/// Background refreshes of stale responses.
extension ByteLoader {
  /// Returns the stale response `stored` and starts its background refresh.
  nonisolated func revalidate(_ fetch: Fetch, over stored: StoredResponse) -> LoadedBytes {
    events.emit(.staleHit(fetch.request.key, bytes: stored.body.count))
    let refresh = refresh(fetch.request, isOfLoad: true)
    return fetch.finish(LoadedBytes(stored, source: .disk, isStale: true, refresh: refresh))
  }

  /// Asks the origin in the background, once for all callers that got the stale response.
  ///
  /// - Parameter isOfLoad: True for a load of the same request, which ends with the stale response.
  nonisolated func refresh(_ request: ByteRequest, isOfLoad: Bool = false) -> Refresh<LoadedBytes> {
    refreshes.begin(request.flight, on: timeline) {
      self.events.emit(.refreshStarted(request.key))
      do throws(LoadError) {
        // An earlier load may be asking already.
        if !isOfLoad, await self.isLoading(request) {
          let loaded = try await self.load(request, priority: .prefetch)
          if loaded.refresh == nil { return loaded.withoutMemory }
        }
        return try await self.refreshed(request, priority: LivePriority(.prefetch)).withoutMemory
      } catch {
        return nil
      }
    }
  }

  /// Returns the response of the running refresh as the result of `fetch`.
  @inline(never)
  nonisolated func awaitRefresh(_ fetch: Fetch) async throws(LoadError) -> LoadedBytes {
    let observer = FetchObserver()
    do throws(LoadError) {
      return try await observer.observe { () throws(LoadError) in
        try await refreshed(fetch.request, priority: fetch.priority) { observer.join($0) }
      }
    } catch {
      fetch.failure = observer.failure
      throw error
    }
  }

  /// Returns the origin's response, of the running refresh or of a new one, with at least `priority`.
  nonisolated func refreshed(
    _ request: ByteRequest, priority: LivePriority, watch: (@Sendable (SharedBody) -> Void)? = nil
  ) async throws(LoadError) -> LoadedBytes {
    var flight = request.flight
    flight.isRefresh = true
    return try await coalesce(flight, priority: priority.current, live: priority, watch: watch) {
      priority, body throws(LoadError) in
      defer { body.end(.useless) }
      // The disk answers when another process has refreshed the response since.
      return try await self.run(
        Fetch(request, in: self.context, priority: priority, body: body, isRefresh: true))
    }
  }

  private func isLoading(_ request: ByteRequest) -> Bool { inFlight.waiters(of: request.flight) > 0 }
}
