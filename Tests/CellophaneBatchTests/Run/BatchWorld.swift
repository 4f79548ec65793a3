internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

/// A batch over a scripted origin, in virtual time.
///
/// The first component of a path selects the response:
/// - `404`, `503`: this status.
/// - `503-once`: 503 for the first request of a URL, then 200.
/// - `503-then-404`: 503 for the first request of a URL, then 404.
/// - `pause-once`: 503 with a pause of 11 s for the first request of a URL, then 200.
/// - `pause-2h`: 503 with a pause of two hours, after 100 ms.
/// - `pause-until/…/N`: 503 with a pause until N seconds after the start, then 200.
/// - `200-then-404`: 200 for the first request of a URL, then 404; never stored.
/// - `200-then-503`: 200 for the first request of a URL, then 503, for which the stale response may be used.
/// - `stale`: 200 that must be validated, and 304 for each validation.
/// - `redirect-once/X`: permanent redirect to `http://other/X` for the first request of a URL, then 200.
/// - `503-then-redirect/X`: 503 for the first request of a URL, then a permanent redirect to `http://other/X`.
/// - `redirect/X`: redirect to `http://other/X` for each request; never stored.
/// - `slow/…/N`: 200 after N seconds.
/// - `outage/X`: 200 after 100 ms, but the response of `X` between 5 s and 35 s after the start.
/// - `reset`: connection lost within the body.
/// - `dropped`: connection lost before the head.
/// - `refused`: connection refused.
/// - `cancelled`: cancelled by the transport.
/// - Any other: 200 at once, fresh for an hour.
///
/// The body is the URL.
struct BatchWorld: Sendable {
  let time = VirtualTime()
  let timeline: Timeline
  let transport: ScriptedTransport
  let files = MemoryFileSystem()
  let bytes: ByteLoader

  init(jobs: Int = 4, cacheLimit: Int = 1 << 30) {
    timeline = time.timeline()
    let requested = RequestedURLs()
    transport = ScriptedTransport(timeline: timeline) { [timeline] request in
      func response(_ status: Int, _ headers: HeaderFields = ["cache-control": "max-age=3600"])
        -> TransportResponse
      {
        var response = TransportResponse(
          status: status, headers: headers, body: status == 304 ? [] : Array(request.url.utf8),
          url: request.url)
        response.timings.dns = .milliseconds(1)
        response.timings.connect = .milliseconds(2)
        response.timings.tls = .milliseconds(3)
        response.timings.firstByte = .milliseconds(4)
        response.timings.transfer = .milliseconds(5)
        return response
      }
      var path = request.url.split(separator: "/").dropFirst(2)
      func redirect(_ status: Int, _ headers: HeaderFields = ["cache-control": "max-age=3600"])
        -> TransportResponse
      {
        var redirect = response(status, headers)
        redirect.target = "http://other/" + path.dropFirst().joined(separator: "/")
        return redirect
      }
      if path.first == "outage" {
        guard timeline.now > .seconds(5), timeline.now < .seconds(35) else {
          return .init(after: .milliseconds(100), .success(response(200)))
        }
        path = path.dropFirst()
      }
      switch path.first {
      case "404": return .init(.success(response(404)))
      case "503": return .init(.success(response(503, [:])))
      case "503-once":
        return .init(.success(requested.add(request.url) ? response(503, [:]) : response(200)))
      case "503-then-404":
        return .init(.success(requested.add(request.url) ? response(503, [:]) : response(404)))
      case "reset":
        return .init(
          pieces: [.init(3, pause: .zero)], .success(response(200)),
          breaking: LoadError(.connectionLost, "h closed the connection", isRetryable: true))
      case "dropped":
        return .init(.failure(LoadError(.connectionLost, "h sent no response", isRetryable: true)))
      case "refused":
        return .init(.failure(LoadError(.connect, "h refused the connection", isRetryable: true)))
      case "stale":
        let isValidation = request.headers["if-none-match"] != nil
        return .init(
          .success(response(isValidation ? 304 : 200, ["etag": "\"1\"", "cache-control": "no-cache"])))
      case "redirect-once" where requested.add(request.url): return .init(.success(redirect(301)))
      case "503-then-redirect":
        return .init(.success(requested.add(request.url) ? response(503, [:]) : redirect(301)))
      case "redirect": return .init(.success(redirect(302, ["cache-control": "no-store"])))
      case "pause-once":
        return .init(
          .success(requested.add(request.url) ? response(503, ["retry-after": "11"]) : response(200)))
      case "pause-2h":
        return .init(after: .milliseconds(100), .success(response(503, ["retry-after": "7200"])))
      case "200-then-503":
        let isFirst = requested.add(request.url)
        return .init(
          .success(response(isFirst ? 200 : 503, ["cache-control": "max-age=0, stale-if-error=86400"])))
      case "200-then-404":
        let isFirst = requested.add(request.url)
        return .init(.success(response(isFirst ? 200 : 404, ["cache-control": "no-store"])))
      case "pause-until":
        let rest = (path.last.flatMap { Int($0) } ?? 0) - Int(timeline.now / .seconds(1))
        return .init(.success(rest > 0 ? response(503, ["retry-after": "\(rest)"]) : response(200)))
      case "cancelled": return .init(.failure(.cancelled))
      case "slow":
        return .init(after: .seconds(path.last.flatMap { Int($0) } ?? 0), .success(response(200)))
      default: return .init(.success(response(200)))
      }
    }
    var configuration = ByteLoader.Configuration()
    (configuration.transfers, configuration.transfersPerOrigin, configuration.reservedForVisible) = (
      jobs, jobs, 0
    )
    configuration.refreshesInBackground = false
    (configuration.retry.retries, configuration.retry.waitsForOrigins) = (1, false)
    configuration.retry.seed = 1
    bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(
        directory: "/cache", limit: cacheLimit, fileSystem: files, executor: time.lane(), timeline: timeline),
      configuration: configuration, timeline: timeline)
  }

  /// Runs a batch over `urls`. Returns the results in the order of their delivery, and the number of records of
  /// other shards.
  func run(
    of urls: [String], jobs: Int = 4, perHost: Int? = nil, shard: Shard? = nil, isOrdered: Bool = false,
    output: (any BatchOutput)? = nil, policy: CachePolicy = .standard
  ) throws -> (results: [BatchResult], otherShards: Int) {
    let results = Mutex<[BatchResult]>([])
    let options = BatchWork.Options(picture: nil, cachePolicy: policy, shard: shard)
    let run = BatchRun(
      ListSource(urls: urls), BatchWork(options, bytes: bytes, output: output, seed: 1), perHost: perHost,
      isOrdered: isOrdered
    ) { result in
      results.withLock { $0.append(result) }
      return true
    }
    let otherShards = try #require(
      time.run { await run.run(jobs: jobs) }, "the run waits for an event that never happens")
    return (results.withLock(\.self), otherShards)
  }

  func results(
    of urls: [String], jobs: Int = 4, perHost: Int? = nil, isOrdered: Bool = false,
    output: (any BatchOutput)? = nil, policy: CachePolicy = .standard
  ) throws -> [BatchResult] {
    try run(of: urls, jobs: jobs, perHost: perHost, isOrdered: isOrdered, output: output, policy: policy)
      .results
  }
}

/// The URLs that were requested before.
private final class RequestedURLs: Sendable {
  private let urls = Mutex<Set<String>>([])

  /// Adds a URL. Returns false if it was requested before.
  func add(_ url: String) -> Bool { urls.withLock { $0.insert(url).inserted } }
}
