internal import Cellophane
internal import CellophaneTestOrigin

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The real machine: its clock, its file system, real decoders, and sockets to an embedded origin behind a
/// shaped link or to the user's own origins.
struct RealWorld: TrialWorld {
  let timeline: Timeline
  let requests: [ImageRequest]
  let disk: DiskCache
  let decodingLimits = DecodingLimits()
  let screenExecutor: any SerialExecutor = SerialQueueExecutor(label: "cellophane.screen")
  private let pictures: RowPictures
  private let origin: TestOrigin?
  private let connections: CurlTransport
  /// The temporary directory of the disk cache.
  let directory: URL

  /// Creates a world with `pictures`.
  ///
  /// - Parameter connectionsPerHost: The maximum number of connections to a host, for a loader without its
  ///   own limit.
  /// - Throws: ``LoadError`` if the origin cannot run or a URL is invalid.
  init(
    _ configuration: SimulationConfiguration, layout: ListLayout, pictures: RowPictures,
    connectionsPerHost: Int?, timeline: Timeline
  ) throws(LoadError) {
    self.timeline = timeline
    self.pictures = pictures
    let origin = try pictures.makeOrigin(for: configuration)
    self.origin = origin
    do throws(LoadError) {
      requests = try pictures.requests(at: origin, for: layout)
    } catch {
      origin?.stop()
      throw error
    }
    connections = pictures.makeTransport(connectionsPerHost: connectionsPerHost)
    directory = URL.temporaryDirectory.appending(path: "cellophane-simulate-" + UUID().uuidString)
    disk = DiskCache(directory: directory.path, limit: configuration.cache.diskBytes, timeline: timeline)
  }

  /// Nil, because the times of events differ between runs.
  var log: EventLog? { nil }
  var transport: any Transport { connections }
  var framesCanBeLate: Bool { true }
  var peakTransfers: Int? { origin?.counters.peakInFlight }
  var connectionsOpened: Int? { origin?.counters.connections }
  /// Unknown: the kernel discards these bytes.
  var receivedAfterCancel: Int? { nil }
  var evidence: RowTally.Evidence { pictures.evidence(of: requests.count) }

  func decoder(_ observers: RunObservers) -> ImageDecoder { ImageDecoder() }

  func identify(_ value: Image) -> PictureIdentity { pictures.identify(value) }

  func residentMemory() -> Int? { ResidentMemory.bytes }

  func host<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? { await body() }

  /// Does nothing, because libcurl delivers bytes when they arrive.
  func catchUp() {}

  /// False, because slow work may still finish.
  func quiescence() async -> Bool { false }

  func wait(until hasEnded: @escaping @Sendable () async -> Bool) async {
    // In a separate task, because a cancelled task cannot sleep.
    await timeline.spawn { [timeline] in
      while await !hasEnded() { try? await timeline.sleep(for: .milliseconds(5)) }
    }.value
  }

  func end() async {
    await connections.close()
    origin?.stop()
    // A failure is ignored. The system removes its temporary files itself.
    try? FileManager.default.removeItem(at: directory)
  }
}
