/// Decoded values on disk. Each is used only for the bytes from which it was made, and therefore exactly as long as their
/// response is valid.
struct StoredResults: Sendable {
  private let disk: DiskCache

  init(_ disk: DiskCache) { self.disk = disk }

  /// The names of fields that no HTTP message has.
  private static let (form, source) = (":form", ":source")

  /// The maximum size of a result in bytes. An eighth of the cache, which stores no larger response.
  var maximumBytes: Int { disk.limit / 8 }

  /// Returns the stored form of the value that was made from the bytes called `source`; nil without one.
  func body(for key: ResponseKey, from source: String) async -> [UInt8]? {
    guard let stored = await disk.response(for: key), stored.headers[Self.source] == source else {
      return nil
    }
    return stored.body
  }

  /// Stores `body`, the form of the value that was made from the bytes called `source`.
  func store(_ body: [UInt8], for key: ResponseKey, from source: String, at now: Int64) async {
    let fields: HeaderFields = [Self.source: source]
    await disk.store(StoredResponse(status: 200, headers: fields, body: body, storedAt: now), for: key)
  }

  /// The key of the result called `name` of the response for `key`.
  static func key(of key: ResponseKey, _ name: String) -> ResponseKey {
    var fields = key.headers
    fields.append(form, name)
    return ResponseKey(url: key.url, origin: key.origin, headers: fields, scope: key.scope)
  }

  /// Returns the name of the bytes of a response.
  static func name(of bytes: LoadedBytes) -> String {
    "\(bytes.bytes.count) \(XXH3.hexadecimal(bytes.bytes))"
  }
}

extension Request {
  /// False for a source, for a local file, and if the request forbids it.
  var mayBeStored: Bool { terms.mayStore && source == nil && key.response.origin.scheme != "file" }
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
    let source = StoredResults.name(of: loaded)
    func store(_ value: Value) {
      if loaded.mayBeOnDisk {
        self.store(value, as: form, in: results, under: StoredResults.key(of: key, form.name), from: source)
      }
    }
    func stored(as form: ResultForm<Value>) async throws(LoadError) -> Value? {
      guard let body = await results.body(for: StoredResults.key(of: key, form.name), from: source) else {
        return nil
      }
      return try await withinLimits(priority: priority, weight: body.count) { () throws(LoadError) in
        form.decode(body)
      }
    }
    if let early {
      store(early)
      return Made(early, from: loaded)
    }
    var (base, steps) = (request, [Derivation<Decoder.Options, Value>]())
    var found = try await stored(as: form)
    if let found { return Made(found, from: loaded) }
    while found == nil, let step = decoder.derivation(options: base.options) {
      steps.append(step)
      base = base.decoded(with: step.base)
      guard let form = decoder.resultForm(options: step.base) else { continue }
      found = try await stored(as: form)
    }
    var value: Value
    if let found {
      value = found
    } else {
      do throws(LoadError) {
        value = try await decode(loaded.bytes, for: base, priority: priority, flight: flight)
      } catch {
        guard let again = await self.again(request, after: error, of: loaded) else { throw error }
        return try await loadResult(again, as: form, in: results, priority: priority, flight: flight)
      }
    }
    do throws(LoadError) {
      for step in steps.reversed() { value = try await derived(from: value, by: step, flight: flight) }
    } catch {
      if error.kind != .cancelled { events.emit(.decodingFailed(key, error)) }
      throw error
    }
    store(value)
    return Made(value, from: loaded)
  }

  /// Stores `value` in the background. ``ByteLoader/settle()`` waits for it.
  private nonisolated func store(
    _ value: Value, as form: ResultForm<Value>, in results: StoredResults, under key: ResponseKey,
    from source: String
  ) {
    let weight = decoder.cost(of: value)
    guard weight <= results.maximumBytes else { return }
    let commits = bytes.cache.commits
    _ = commits.begin(key)
    timeline.spawn(priority: Priority.prefetch.taskPriority) { [timeline] in
      let body = try? await self.withinLimits(priority: LivePriority(.prefetch), weight: weight) {
        () throws(LoadError) in
        form.encode(value)
      }
      if let body = body ?? nil {
        await results.store(body, for: key, from: source, at: timeline.secondsSince1970)
      }
      commits.end(key)
    }
  }
}
