/// The part of the road that leads to the origin while something stale has answered already.
extension ByteLoader {
  /// Asks the origin in the background, once for all who were given something stale meanwhile.
  ///
  /// - Parameter isOfLoad: True for a load of the same, which has its answer and asks nobody.
  nonisolated func refresh(_ errand: Errand, isOfLoad: Bool = false) -> Refresh<LoadedBytes> {
    refreshes.begin(errand.flight, on: timeline) {
      self.events.emit(.refreshStarted(errand.key))
      do throws(LoadError) {
        // A load that was begun before may be asking already.
        if !isOfLoad, await self.isLoading(errand) {
          let loaded = try await self.load(errand, priority: .prefetch)
          if loaded.refresh == nil { return loaded }
        }
        return try await self.refreshed(errand, priority: LivePriority(.prefetch))
      } catch {
        return nil
      }
    }
  }

  /// What the origin says now: the running refresh's answer, or one of its own. At least as urgent as `priority`.
  nonisolated func refreshed(
    _ errand: Errand, priority: LivePriority
  ) async throws(LoadError) -> LoadedBytes {
    var flight = errand.flight
    flight.isRefresh = true
    return try await coalesce(flight, priority: priority.current, live: priority) {
      priority, body throws(LoadError) in
      defer { body.end(.useless) }
      // Another process may have asked meanwhile: then the disk answers.
      var course = Course(errand)
      do throws(LoadError) {
        let loaded = try await self.answer(at: &course, isRefresh: true, priority: priority, to: body)
        return course.told(loaded)
      } catch { throw course.told(error) }
    }
  }

  private func isLoading(_ errand: Errand) -> Bool { inFlight.waiters(of: errand.flight) > 0 }
}
