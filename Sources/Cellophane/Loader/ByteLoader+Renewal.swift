/// The part of the road from the disk to the origin and back to the disk.
extension ByteLoader {
  /// Asks the origin whether `stored` still holds, or for the whole, and keeps what it says.
  nonisolated func renew(
    _ stored: StoredResponse?, for errand: Errand, priority: LivePriority, to body: FlightBody
  ) async throws(LoadError) -> LoadedBytes {
    let key = errand.key
    let validation = stored.flatMap { Validation(of: $0, for: key.headers) }
    let number = landings.begin(key)
    defer { landings.end(key) }
    do throws(LoadError) {
      let answer = try await fetch(errand, validation, priority: priority, to: body)
      if landings.land(key, number) { await keep(answer.kept, of: errand) }
      return LoadedBytes(answer.response, source: answer.source)
    } catch {
      if error.saysGone, landings.land(key, number) { await keep(nil, of: errand) }
      throw error
    }
  }
}
