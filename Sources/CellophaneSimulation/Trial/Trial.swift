internal import Cellophane
internal import CellophaneTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One run of one loader, with an origin, connections and cache directory of its own, all gone afterwards.
struct Trial: Sendable {
  /// Which loader.
  enum Contender: Sendable {
    case naive
    case cellophane
  }

  let configuration: SimulationConfiguration
  let layout: ListLayout
  let trajectory: ScrollTrajectory
  let pictures: RowPictures
  let timeline: Timeline

  /// What the names of the temporary cache directories begin with.
  static let directoryPrefix = "cellophane-simulate-"

  /// What platforms' HTTP clients and browsers allow to one HTTP/1.1 host.
  private static let naiveConnections = 6

  /// Runs `contender` once.
  ///
  /// - Throws: ``LoadError`` when the origin cannot run or a URL is none; ``LoadError/cancelled``.
  func run(_ contender: Contender) async throws(LoadError) -> RunObservation {
    let origin = try pictures.makeOrigin(behind: configuration.network)
    defer { origin?.stop() }
    let plan = ScreenPlan(
      layout: layout, trajectory: trajectory, requests: try pictures.requests(at: origin, for: layout),
      refreshRate: configuration.refreshRate, duration: configuration.duration,
      rowsAhead: configuration.rowsAhead, identify: pictures.identify)
    switch contender {
    case .naive: return try await runNaive(plan, origin)
    case .cellophane: return try await runCellophane(plan, origin)
    }
  }

  private func runNaive(_ plan: ScreenPlan, _ origin: TestOrigin?) async throws(LoadError) -> RunObservation {
    let connections = pictures.makeTransport(connectionsPerHost: Self.naiveConnections)
    let transport = RecordingTransport(connections)
    let screen = Screen(
      plan, loader: NaiveList(transport: transport, decoder: ImageDecoder(), timeline: timeline),
      timeline: timeline)
    let played = await result { () throws(LoadError) in try await screen.play() }
    let observation = played.map { record in observe(record, plan, transport, origin) }
    await screen.end()
    await transport.idle()
    await connections.close()
    return try observation.get()
  }

  private func runCellophane(
    _ plan: ScreenPlan, _ origin: TestOrigin?
  ) async throws(LoadError) -> RunObservation {
    let directory = URL.temporaryDirectory.appending(path: Self.directoryPrefix + UUID().uuidString)
    // Left behind only when the system refuses, and then it is the system's to clean.
    defer { try? FileManager.default.removeItem(at: directory) }
    let connections = pictures.makeTransport()
    let transport = RecordingTransport(connections)
    let bytes = ByteLoader(
      transport: transport,
      disk: DiskCache(directory: directory.path, limit: configuration.diskBytes, timeline: timeline),
      timeline: timeline)
    let loader = ResourceLoader(
      bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: configuration.memoryBytes))
    let screen = Screen(
      plan, loader: CellophaneList(loader: loader, looksAhead: configuration.rowsAhead > 0),
      timeline: timeline)
    let played = await result { () throws(LoadError) in try await screen.play() }
    let observation = played.map { record in
      var observation = observe(record, plan, transport, origin)
      observation.stalePrevented = record.superseded
      observation.staleDropped = bytes.events.counters.staleDrops
      observation.peakMemoryCost = loader.memory.counters.peakCost
      return observation
    }
    await screen.end()
    await transport.idle()
    // A response that arrived may still be on its way to the disk. A cancelled task could not sleep, so
    // another one waits.
    await timeline.spawn {
      while await bytes.activity.running > 0 { try? await timeline.sleep(for: .milliseconds(5)) }
    }.value
    await connections.close()
    return try observation.get()
  }

  private func observe(
    _ record: ScreenRecord, _ plan: ScreenPlan, _ transport: RecordingTransport, _ origin: TestOrigin?
  ) -> RunObservation {
    RunObservation(
      record: record, urls: plan.requests.map(\.url), transfers: transport.log, origin: origin?.counters)
  }

  private func result<Value: Sendable>(
    _ body: () async throws(LoadError) -> Value
  ) async -> Result<Value, LoadError> {
    do throws(LoadError) { return .success(try await body()) } catch { return .failure(error) }
  }
}
