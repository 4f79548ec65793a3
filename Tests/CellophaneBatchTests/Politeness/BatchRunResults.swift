internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

/// Runs a batch over `urls`, and expects a fetched result for each of them.
func expectAllFetched(
  _ urls: [String], from transport: ScriptedTransport, jobs: Int, seed: UInt64, in time: VirtualTime,
  at location: SourceLocation = #_sourceLocation
) {
  let results = results(of: urls, from: transport, jobs: jobs, seed: seed, in: time)
  let failed = results.filter { $0.outcome != .fetched }.map { ($0.url, $0.attempts) }
  #expect(
    results.count == urls.count && failed.isEmpty, "seed \(seed): \(failed)", sourceLocation: location)
}

/// Returns the results of a batch over `urls`, with the configuration of the tool. Odd seeds use a disk cache.
func results(
  of urls: [String], from transport: ScriptedTransport, jobs: Int, seed: UInt64, in time: VirtualTime
) -> [BatchResult] {
  var configuration = ByteLoader.Configuration()
  (configuration.transfers, configuration.transfersPerOrigin) = (jobs, jobs)
  (configuration.reservedForVisible, configuration.refreshesInBackground) = (0, false)
  configuration.retry.waitsForOrigins = false
  configuration.retry.seed = seed
  // A look-up in the cache delays a request, so that records that started later may be requested before.
  let disk = DiskCache(
    directory: "/cache", fileSystem: MemoryFileSystem(), executor: time.lane(), timeline: time.timeline())
  let bytes = ByteLoader(
    transport: transport, disk: seed % 2 == 0 ? nil : disk, configuration: configuration,
    timeline: time.timeline())
  let results = Mutex<[BatchResult]>([])
  let run = BatchRun(
    ListSource(urls: urls), BatchWork(BatchWork.Options(picture: nil), bytes: bytes, output: nil)
  ) { result in
    results.withLock { $0.append(result) }
    return true
  }
  #expect(time.run { await run.run(jobs: jobs) } == 0)
  return results.withLock(\.self)
}
