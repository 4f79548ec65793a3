internal import Cellophane
internal import CellophaneTesting
internal import Synchronization
internal import Testing

@testable internal import CellophaneBatch

/// Works `lines` off and expects all of them to be fetched.
func expectAll(
  _ lines: [String], from transport: ScriptedTransport, jobs: Int, seed: UInt64, in time: VirtualTime,
  at location: SourceLocation = #_sourceLocation
) {
  let results = results(of: lines, from: transport, jobs: jobs, seed: seed, in: time)
  let lost = results.filter { $0.outcome != .fetched }.map { ($0.url, $0.attempts) }
  #expect(
    results.count == lines.count && lost.isEmpty, "seed \(seed): \(lost)", sourceLocation: location)
}

/// What `lines` come to, with the configuration that the tool has, and with odd seeds over a disk cache.
func results(
  of lines: [String], from transport: ScriptedTransport, jobs: Int, seed: UInt64, in time: VirtualTime
) -> [BatchResult] {
  var configuration = ByteLoader.Configuration()
  (configuration.transfers, configuration.transfersPerOrigin) = (jobs, jobs)
  (configuration.reservedForVisible, configuration.refreshesInBackground) = (0, false)
  configuration.retry.waitsForOrigins = false
  configuration.retry.seed = seed
  // Who looks into a cache first asks its host later than others that were taken up behind it.
  let disk = DiskCache(
    directory: "/cache", fileSystem: MemoryFileSystem(), executor: time.lane(), timeline: time.timeline())
  let bytes = ByteLoader(
    transport: transport, disk: seed % 2 == 0 ? nil : disk, configuration: configuration,
    timeline: time.timeline())
  let results = Mutex<[BatchResult]>([])
  let run = BatchRun(
    ListSource(urls: lines), BatchWork(BatchWork.Options(picture: nil), bytes: bytes, output: nil)
  ) { result in
    results.withLock { $0.append(result) }
    return true
  }
  #expect(time.run { await run.run(jobs: jobs) } == 0)
  return results.withLock(\.self)
}
