/// Decoded values on disk. Each is used only for the bytes from which it was made, and therefore exactly as long as their
/// response is valid.
struct StoredResults: Sendable {
  private let disk: DiskCache

  init(_ disk: DiskCache) { self.disk = disk }

  /// The names of fields that no HTTP message has.
  private static let (form, source) = (":form", ":source")

  /// Returns the value that was made from `bytes`, the response for `key`; nil without one.
  func value<Value>(
    as form: ResultForm<Value>, of key: ResponseKey, from bytes: LoadedBytes
  ) async -> Value? {
    guard let stored = await disk.response(for: Self.key(of: key, form.name)),
      stored.headers[Self.source] == Self.name(of: bytes)
    else { return nil }
    return form.decode(stored.body)
  }

  /// Stores `value`, unless its response must not be stored.
  func store<Value>(
    _ value: Value, as form: ResultForm<Value>, of key: ResponseKey, from bytes: LoadedBytes, at now: Int64
  ) async {
    // A close-delimited body may be truncated, and the response is not stored either.
    guard !CacheControl(bytes.headers).noStore, bytes.fetchMetrics?.isCloseDelimited != true,
      let body = form.encode(value)
    else { return }
    let fields: HeaderFields = [Self.source: Self.name(of: bytes)]
    await disk.store(
      StoredResponse(status: 200, headers: fields, body: body, storedAt: now),
      for: Self.key(of: key, form.name))
  }

  private static func key(of key: ResponseKey, _ name: String) -> ResponseKey {
    var fields = key.headers
    fields.append(form, name)
    return ResponseKey(url: key.url, origin: key.origin, headers: fields, scope: key.scope)
  }

  /// Identifies the bytes of a response.
  private static func name(of bytes: LoadedBytes) -> String {
    "\(bytes.bytes.count) \(XXH3.hexadecimal(bytes.bytes))"
  }
}

extension ResourceLoader {
  /// Loads the bytes of `request`, and takes its value from `results` or makes and stores it.
  ///
  /// The value is made from these bytes alone: a base in memory may be of earlier ones.
  nonisolated func loadResult(
    _ request: Request<Decoder.Options>, as form: ResultForm<Value>, in results: StoredResults,
    priority: LivePriority, flight: ValueFlight<Value>
  ) async throws(LoadError) -> Made<Value> {
    let key = request.key.response
    let (loaded, early) = try await loadAhead(request, priority: priority, previews: flight)
    let value: Value
    if let early {
      value = early
    } else if let stored = await results.value(as: form, of: key, from: loaded) {
      return Made(stored, from: loaded)
    } else {
      do throws(LoadError) {
        value = try await newResult(request, in: results, loaded, priority: priority, flight: flight)
      } catch {
        guard let again = await self.again(request, after: error, of: loaded) else { throw error }
        return try await loadResult(again, as: form, in: results, priority: priority, flight: flight)
      }
    }
    await results.store(value, as: form, of: key, from: loaded, at: timeline.secondsSince1970)
    return Made(value, from: loaded)
  }

  private nonisolated func newResult(
    _ request: Request<Decoder.Options>, in results: StoredResults, _ loaded: LoadedBytes,
    priority: LivePriority, flight: ValueFlight<Value>
  ) async throws(LoadError) -> Value {
    if let value = try await derivedFromResult(
      request, in: results, loaded, priority: priority, flight: flight)
    {
      return value
    }
    return try await decode(loaded.bytes, for: request, priority: priority, flight: flight)
  }

  /// Returns the value of `request` made by its last steps from a stored one; nil without one.
  private nonisolated func derivedFromResult(
    _ request: Request<Decoder.Options>, in results: StoredResults, _ loaded: LoadedBytes,
    priority: LivePriority, flight: ValueFlight<Value>
  ) async throws(LoadError) -> Value? {
    guard let derivation = decoder.derivation(options: request.options),
      let form = decoder.resultForm(options: derivation.base)
    else { return nil }
    let base = request.decoded(with: derivation.base)
    var value = await results.value(as: form, of: request.key.response, from: loaded)
    if value == nil {
      value = try await derivedFromResult(base, in: results, loaded, priority: priority, flight: flight)
    }
    guard let value else { return nil }
    return try await derived(from: value, by: derivation, priority: priority, flight: flight)
  }
}
