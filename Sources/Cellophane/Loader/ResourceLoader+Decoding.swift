/// Decoding within the limits, and the repetition after damage on disk.
extension ResourceLoader {
  /// Decodes loaded bytes off the actor, within the decoding limits.
  ///
  /// - Throws: ``LoadError``; ``LoadError/cancelled`` when the task is cancelled before or while it decodes.
  package nonisolated func decode(
    _ loaded: LoadedBytes, for request: Request<Decoder.Options>
  ) async throws(LoadError) -> Value {
    try await decode(loaded.bytes, for: named(request), priority: LivePriority(request.priority))
  }

  /// Decodes `loaded`; when these bytes are damaged and came from disk, decodes the origin's bytes instead.
  ///
  /// - Parameter observer: Receives the details of a failed request to the origin.
  /// - Returns: The value and the bytes from which it was made.
  package nonisolated func decodeOrReload(
    _ loaded: LoadedBytes, for request: Request<Decoder.Options>, observer: FetchObserver
  ) async throws(LoadError) -> (bytes: LoadedBytes, value: Value) {
    do throws(LoadError) { return (loaded, try await decode(loaded, for: request)) } catch {
      guard let again = await self.again(request, after: error, of: loaded) else { throw error }
      let reloaded = try await bytes.load(again, observer: observer)
      return try await decodeOrReload(reloaded, for: again, observer: observer)
    }
  }

  @concurrent
  nonisolated func decode(
    _ bytes: [UInt8], for request: Request<Decoder.Options>, priority: LivePriority,
    flight: ValueFlight<Value>? = nil
  ) async throws(LoadError) -> Value {
    do throws(LoadError) {
      let weight = try decoder.workingBytes(for: bytes, options: request.options)
      return try await withinLimits(priority: priority, weight: weight) { () throws(LoadError) in
        let start = timeline.now
        let value = try await decoder.decode(bytes, options: request.options)
        let time = timeline.now - start
        flight?.noteDecoding(time)
        events.emit(.decoded(request.key.response, cost: cost(of: value), duration: time))
        return value
      }
    } catch {
      if error.kind != .cancelled { events.emit(.decodingFailed(request.key.response, error)) }
      // Damaged bytes must not answer until they expire; offline, however, they are the best there is. An empty body
      // is not damage: only 204 responses are stored without bytes.
      if error.isDamage, !bytes.isEmpty, request.terms.mayAsk {
        await self.bytes.cache.remove(request.key.response)
      }
      throw error
    }
  }

  /// Returns the request to repeat after decoding `loaded` failed with `error`: damaged bytes were removed from disk, and the
  /// origin may have intact ones. Nil when repeating is useless.
  nonisolated func again(
    _ request: Request<Decoder.Options>, after error: LoadError, of loaded: LoadedBytes
  ) async -> Request<Decoder.Options>? {
    guard error.isDamage, !loaded.bytes.isEmpty, request.terms.mayAsk else { return nil }
    if let targetKey = loaded.targetKey { await bytes.cache.remove(targetKey) }
    guard loaded.source == .disk else { return nil }
    var again = request
    again.cachePolicy = .reload
    return again
  }
}
