internal import Cellophane
internal import CellophaneTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The machine at hand: its clock, sockets to an embedded origin behind a shaped line or to the user's own origins, its
/// file system, decoding for real.
struct RealWorld: TrialWorld {
  let timeline: Timeline
  let requests: [ImageRequest]
  let disk: DiskCache
  let decodingLimits = DecodingLimits()
  let screenExecutor: any SerialExecutor = SerialQueueExecutor(label: "cellophane.screen")
  private let pictures: RowPictures
  private let origin: TestOrigin?
  private let connections: CurlTransport
  private let directory: URL

  /// What the names of the temporary cache directories begin with.
  static let directoryPrefix = "cellophane-simulate-"

  /// A world with `pictures` in it.
  ///
  /// - Parameter connectionsPerHost: For a loader that sets no limit itself.
  /// - Throws: ``LoadError`` when the origin cannot run or a URL is none.
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
    directory = URL.temporaryDirectory.appending(path: Self.directoryPrefix + UUID().uuidString)
    disk = DiskCache(directory: directory.path, limit: configuration.cache.diskBytes, timeline: timeline)
  }

  /// Nothing happens at the same time twice.
  var log: EventLog? { nil }
  var transport: any Transport { connections }
  var canBeLate: Bool { true }
  var mostInFlight: Int? { origin?.counters.mostInFlight }
  var connectionsOpened: Int? { origin?.counters.connections }
  /// The kernel drops them.
  var receivedAfterCancel: Int? { nil }
  var proof: RowsSeen.Proof { pictures.proof(of: requests.count) }

  func decoder(_ observers: RunObservers) -> ImageDecoder { ImageDecoder() }

  func identify(_ value: Image) -> PictureIdentity { pictures.identify(value) }

  func residentMemory() -> Int? { ResidentMemory.bytes }

  func host<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? { await body() }

  /// libcurl hands bytes over as they come.
  func catchUp() {}

  /// What is slow may still come.
  func quiescence() async -> Bool { false }

  func wait(until isOver: @escaping @Sendable () async -> Bool) async {
    // A cancelled task could not sleep, so another one waits.
    await timeline.spawn { [timeline] in
      while await !isOver() { try? await timeline.sleep(for: .milliseconds(5)) }
    }.value
  }

  func end() async {
    await connections.close()
    origin?.stop()
    // Left behind only when the system refuses, and then it is the system's to clean.
    try? FileManager.default.removeItem(at: directory)
  }
}
