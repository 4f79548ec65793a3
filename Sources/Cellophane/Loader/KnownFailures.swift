internal import Synchronization

/// Failures whose origin said how long they last, so that it is not asked again before. In memory, and bounded.
final class KnownFailures: Sendable {
  private struct Failure {
    let url: String
    let credentials: HeaderFields
    let error: LoadError
    let since: Duration
    let until: Duration

    /// The approximate size in memory with its key, in bytes.
    func cost(under key: ResponseKey) -> Int {
      // 500: the fixed part of an entry and the free capacity of the dictionary.
      500 + key.url.utf8.count + key.headers.byteCount + url.utf8.count + credentials.byteCount
        + error.message.utf8.count
    }
  }

  private struct State {
    var failures: [ResponseKey: Failure] = [:]
    var bytes = 0

    mutating func remove(_ key: ResponseKey) {
      if let failure = failures.removeValue(forKey: key) { bytes -= failure.cost(under: key) }
    }

    /// Removes the failures that end first until there is room for `cost` bytes.
    mutating func makeRoom(for cost: Int, at now: Duration) {
      func hasRoom() -> Bool { failures.count < limit && bytes + cost <= KnownFailures.largest }
      if hasRoom() { return }
      for (key, _) in failures.filter({ $0.value.until <= now }) { remove(key) }
      while !hasRoom(),
        let first = failures.min(by: { ($0.value.until, $0.key.url) < ($1.value.until, $1.key.url) })
      {
        remove(first.key)
      }
    }
  }

  /// The maximum number of failures. 1 024: the images of a long list.
  static let limit = 1_024
  /// The maximum size in bytes. 1 MB: the limit above, with URLs of a common length.
  static let largest = 1 << 20
  /// The maximum lifetime of a failure. One day: a mistake of an origin must not last for the life of a server.
  static let longest = Duration.seconds(longestSeconds)
  /// The same in seconds.
  static let longestSeconds: Int64 = 24 * 60 * 60

  private let state = Mutex(State())

  /// The number of failures.
  var count: Int { state.withLock { $0.failures.count } }

  /// Their approximate size in bytes.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Returns the failure that `request` would meet at `now`; nil when it is unknown. Requests with another signature or
  /// other credentials may have another result.
  func failure(of request: ByteRequest, at now: Duration) -> LoadError? {
    let known = state.withLock { state -> Failure? in
      guard let failure = state.failures[request.key] else { return nil }
      if failure.until > now { return failure }
      state.remove(request.key)
      return nil
    }
    guard let known, known.url == request.url, known.credentials == request.credentials else { return nil }
    let (error, left) = (known.error, known.until - now)
    return LoadError(
      error.kind,
      "\(error.message) \(seconds(now - known.since)) s ago, which lasts for \(seconds(left)) s more"
        // Reloads respect the pause that an origin requested, too.
        + (error.status.map(FailureClass.isTemporary) == true ? "" : "; a reload asks again before"),
      isRetryable: error.isRetryable, status: error.status, retryAfter: left)
  }

  /// Replaces the failure of `request` at `now` by `error` when that says how long it lasts; otherwise removes it. A failure
  /// larger than an eighth of the limit is not kept: it would evict too many others.
  func remember(_ error: LoadError?, of request: ByteRequest, at now: Duration) {
    state.withLock { state in
      state.remove(request.key)
      guard let error, let lifetime = error.retryAfter else { return }
      let failure = Failure(
        url: request.url, credentials: request.credentials, error: error, since: now,
        until: now + min(lifetime, Self.longest))
      let cost = failure.cost(under: request.key)
      guard cost <= Self.largest / 8 else { return }
      state.makeRoom(for: cost, at: now)
      state.failures[request.key] = failure
      state.bytes += cost
    }
  }

  private func seconds(_ duration: Duration) -> Int64 { Int64((duration / .seconds(1)).rounded(.up)) }
}
