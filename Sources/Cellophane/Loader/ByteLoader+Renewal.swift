/// The part of the road from the disk to the origin and back to the disk.
extension ByteLoader {
  /// Asks the origin whether `stored` still holds, or for the whole, and keeps what it says. Not when it said before
  /// that it will fail again.
  nonisolated func renew(
    _ stored: StoredResponse?, for errand: Errand, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> LoadedBytes {
    let key = errand.key
    if errand.terms.mayUseMemory, let error = failures.failure(of: errand, at: timeline.now) {
      events.emit(.failureKnown(key, error))
      throw error
    }
    let number = landings.begin(key)
    defer { landings.end(key) }
    do throws(LoadError) {
      let answer = try await fetch(errand, beside: stored, priority: priority, to: body)
      var loss: DiskLoss?
      await landings.land(key, number) {
        failures.remember(nil, of: errand, at: timeline.now)
        loss = await keep(answer.kept, of: errand)
      }
      if let there = answer.there, let landing = answer.landing {
        await landings.land(there.key, landing) {
          let lost = await keep(answer.keptThere, of: there)
          loss = loss ?? lost
        }
        landings.end(there.key)
      }
      var loaded = LoadedBytes(answer.response, source: answer.source, isStale: answer.isStale)
      loaded.there = answer.there?.key
      loaded.redirectedFor = answer.redirectedFor
      loaded.inquiry = answer.inquiry
      loaded.diskLoss = loss
      return loaded
    } catch {
      if error.kind == .status {
        await landings.land(key, number) {
          failures.remember(error, of: errand, at: timeline.now)
          if error.saysGone { await keep(nil, of: errand) }
        }
      }
      throw error
    }
  }
}
