package import Cellophane
internal import Synchronization

/// The rules that the origins of a run state in `robots.txt` and `/.well-known/tdmrep.json`.
///
/// The files of an origin are loaded with its first URL, through the disk cache, and again after a day. Callers that need
/// them at the same time share their transfers. An error of a load holds for ten seconds.
package final class OriginPolicies: Sendable {
  /// The files of one origin, or the error of their load.
  private struct Policy {
    let files: Result<Files, LoadError>
    let loadedAt: Duration

    var cost: Int { (try? files.get()).map { $0.robots.cost + $0.reservations.cost } ?? 256 }
    /// The end of the use of a file (RFC 9309, section 2.4), or of the error: ten seconds, so that a list with many URLs of an
    /// origin does not repeat the requests for each of them.
    var expiry: Duration { loadedAt + .seconds((try? files.get()) == nil ? 10 : 86_400) }
  }

  /// The rules of one origin.
  private struct Files {
    let robots: RobotsFile
    let reservations: TDMReservations
  }

  /// The policies of the latest origins. When they exceed their limit, they replace the older ones.
  private struct State {
    var latest: [Origin: Policy] = [:]
    var latestBytes = 0
    var older: [Origin: Policy] = [:]
  }

  /// The maximum size of a file, in bytes: ten times what must be parsed.
  private static let largestFile = 5 << 20
  /// The maximum size of each part of the policies in memory, in bytes.
  private static let mostBytes = 16 << 20

  private let robot: String
  private let agent: String?
  private let cachePolicy: CachePolicy
  private let readsReservations: Bool
  private let loader = Mutex<ByteLoader?>(nil)
  private let state = Mutex(State())

  /// - Parameters:
  ///   - robot: The product token of the robot.
  ///   - agent: The `User-Agent` field of the requests; nil for that of the transport. Requests have no other fields of the
  ///     user, which may be secrets for other origins.
  ///   - readsReservations: Whether `tdmrep.json` is loaded as well.
  package init(robot: String, agent: String?, cachePolicy: CachePolicy, readsReservations: Bool) {
    (self.robot, self.agent) = (robot, agent)
    (self.cachePolicy, self.readsReservations) = (cachePolicy, readsReservations)
  }

  /// Sets the loader whose transport and disk cache are used. Called once, before any check.
  package func use(_ bytes: ByteLoader, _ configuration: ByteLoader.Configuration) {
    var configuration = configuration
    configuration.limits.bodyBytes = Self.largestFile
    (configuration.admit, configuration.judgeBody) = (nil, nil)
    // A failed request is repeated here, because the batch repeats only requests of records.
    configuration.retry = RetryPolicy()
    let companion = bytes.companion(configuration)
    loader.withLock { $0 = companion }
  }

  /// Checks that `robots.txt` allows `url`. Returns true if `tdmrep.json` reserves it.
  ///
  /// - Throws: ``LoadError/Kind/optedOut`` if it does not; the error of its load if the origin does not answer.
  package func check(_ url: String) async throws(LoadError) -> Bool {
    guard let request = try? Request(url, options: NoOptions()), let loader = loader.withLock(\.self) else {
      return false
    }
    let origin = request.key.response.origin
    guard origin.scheme != "file" else { return false }
    let files: Result<Files, LoadError>
    if let known = policy(of: origin), loader.timeline.now < known.expiry {
      files = known.files
    } else {
      files = await load(origin, by: loader)
      if case .failure(.cancelled) = files { throw .cancelled }
      keep(Policy(files: files, loadedAt: loader.timeline.now), of: origin)
    }
    let (rules, path) = (try files.get(), PathPattern.path(of: url))
    guard rules.robots.allows(path) else {
      throw LoadError(
        .optedOut, "\(origin)/robots.txt forbids this URL; leave the image out, or ask for permission")
    }
    return rules.reservations.reserves(path)
  }

  private func policy(of origin: Origin) -> Policy? {
    state.withLock { $0.latest[origin] ?? $0.older[origin] }
  }

  private func keep(_ policy: Policy, of origin: Origin) {
    state.withLock { state in
      state.latest[origin] = policy
      state.latestBytes += policy.cost
      if state.latestBytes > Self.mostBytes {
        (state.older, state.latest, state.latestBytes) = (state.latest, [:], 0)
      }
    }
  }

  private func load(_ origin: Origin, by loader: ByteLoader) async -> Result<Files, LoadError> {
    do throws(LoadError) {
      let robots = try await file("/robots.txt", of: origin, by: loader)
      let reservations =
        readsReservations ? try await file("/.well-known/tdmrep.json", of: origin, by: loader) : []
      return .success(
        Files(robots: RobotsFile(robots, for: robot), reservations: TDMReservations(reservations)))
    } catch {
      return .failure(error)
    }
  }

  /// Returns the content of a file of `origin`; no content if the origin has none (RFC 9309, section 2.3.1.3), or if only the
  /// cache may answer and has none. A stored file is used for a day at most, or without a limit if only the cache may answer.
  private func file(
    _ path: String, of origin: Origin, by loader: ByteLoader
  ) async throws(LoadError) -> [UInt8] {
    do throws(LoadError) {
      var fields: HeaderFields = [
        "cache-control": cachePolicy == .offline ? "max-stale" : "max-age=86400"
      ]
      if let agent { fields.append("user-agent", agent) }
      let request = try Request(
        "\(origin)\(path)", headers: fields, options: NoOptions(), cachePolicy: cachePolicy)
      return try await loader.load(request).bytes
    } catch {
      // 429 is no statement about the file.
      let isMissing = error.status.map { (400..<500).contains($0) && $0 != 429 } ?? false
      if error.kind == .cancelled { throw error }
      if isMissing || error.kind == .redirects || error.kind == .notCached { return [] }
      throw LoadError(
        error.kind, "\(origin)\(path), which must be read first: \(error.message)",
        isRetryable: error.isRetryable,
        status: error.status, retryAfter: error.retryAfter)
    }
  }
}
