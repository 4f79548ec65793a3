internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import CellophaneBatch

extension ScriptedTransport.Answer {
  /// A 200 that is fresh for an hour, with the URL as its body.
  static let fresh = ok(nil, ["cache-control": "max-age=3600"])
  /// A 200 that is never stored.
  static let unstored = ok(nil, ["cache-control": "no-store"])
  /// A 404 that is known for an hour.
  static let missing = status(404, ["cache-control": "max-age=3600"])
  /// A 503 without a pause.
  static let refusal = status(503)

  /// A 503 that requests a pause of `seconds`.
  static func pause(_ seconds: Int) -> Self { .status(503, ["retry-after": "\(seconds)"]) }

  /// A permanent redirect, fresh for an hour.
  static func moved(to target: String) -> Self {
    .redirect(to: target, status: 301, ["cache-control": "max-age=3600"])
  }
}

/// A batch over scripted origins, in virtual time. URLs without another script answer with `.fresh`.
struct BatchWorld: TestWorld {
  let base: LoaderWorld
  /// The seed of the URL hashes.
  private let seed: UInt64

  init(jobs: Int = 4, cacheLimit: Int = 1 << 30) {
    self.init(
      LoaderWorld(cacheLimit: cacheLimit) {
        ($0.transfers, $0.transfersPerOrigin, $0.reservedForVisible) = (jobs, jobs, 0)
        $0.refreshesInBackground = false
        ($0.retry.waitsForOrigins, $0.retry.seed) = (false, 1)
      } through: {
        TimingTransport(inner: $0)
      })
  }

  /// A world whose loader has the configuration of the tool. `order` is the seed of the order of tasks.
  ///
  /// Odd seeds use a disk cache: a look-up in it delays a request, so that a later record may be requested before.
  init(toolWith jobs: Int, seed: UInt64, order: UInt64?) {
    self.init(
      LoaderWorld(seed: order, cacheLimit: seed % 2 == 0 ? nil : DiskCache.defaultLimit) {
        ($0.transfers, $0.transfersPerOrigin, $0.reservedForVisible) = (jobs, jobs, 0)
        $0.refreshesInBackground = false
        ($0.retry.waitsForOrigins, $0.retry.seed) = (false, seed)
      }, seed: seed)
  }

  init(_ base: LoaderWorld, seed: UInt64 = 1) {
    self.base = base
    self.seed = seed
    origin.script("*", .fresh)
  }

  /// Makes each URL that begins with `beginning` request a pause until `end`, and answer from then on.
  func script(_ beginning: String, pausingUntil end: Duration) {
    origin.script(beginning + "*") { [timeline] _ in
      let rest = Int(end / .seconds(1)) - Int(timeline.now / .seconds(1))
      return rest > 0 ? .pause(rest) : .fresh
    }
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
      ListSource(urls: urls), BatchWork(options, bytes: bytes, output: output, seed: seed),
      BatchLimits(perHost: perHost),
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
    let (results, otherShards) = try run(
      of: urls, jobs: jobs, perHost: perHost, isOrdered: isOrdered, output: output, policy: policy)
    #expect(otherShards == 0)
    return results
  }

  /// Runs a batch over `urls`, and expects a fetched result for each of them.
  func expectAllFetched(
    _ urls: [String], jobs: Int, seed: UInt64, at location: SourceLocation = #_sourceLocation
  ) throws {
    let results = try results(of: urls, jobs: jobs)
    let failed = results.filter { $0.outcome != .fetched }.map { ($0.url, $0.attempts) }
    #expect(
      results.count == urls.count && failed.isEmpty, "seed \(seed): \(failed)", sourceLocation: location)
  }
}

/// A transport that reports a time for each step of an exchange.
private struct TimingTransport: Transport {
  let inner: ScriptedTransport

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    var response = try await inner.exchange(request)
    response.timings.dns = .milliseconds(1)
    response.timings.connect = .milliseconds(2)
    response.timings.tls = .milliseconds(3)
    response.timings.firstByte = .milliseconds(4)
    response.timings.transfer = .milliseconds(5)
    return response
  }
}
