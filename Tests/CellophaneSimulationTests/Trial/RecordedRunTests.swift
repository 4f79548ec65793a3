internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneResults
@testable internal import CellophaneSimulation
internal import TestSupport

/// Tests of the recordings and the requests of simulated runs.
@Suite(.thorough)
struct RecordedRunTests {
  static let withRecording: Instrumentation = {
    var instrumentation = Instrumentation()
    instrumentation.records = true
    return instrumentation
  }()

  static func configuration(_ profile: ScrollProfile, seed: UInt64) throws -> SimulationConfiguration {
    var configuration = SimulationConfiguration()
    configuration.gesture.profile = profile
    configuration.duration = .seconds(12)
    configuration.seed = seed
    configuration.replicas = 1
    configuration.network.profile = try NetworkProfile(parsing: seed == 1 ? "wpt-lte" : "wpt-3gfast")
    return configuration
  }

  /// A report draws the recording next to the metrics, so both must agree.
  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer], [1, 2] as [UInt64])
  func `the sums over a recording equal the metrics of its run`(profile: ScrollProfile, seed: UInt64)
    async throws
  {
    let result = try await Simulation(Self.configuration(profile, seed: seed)).run(Self.withRecording)
    let recording = try #require(result.recording)
    let run = result.metrics.run
    let note = Comment(rawValue: result.reproduce ?? "")
    #expect(!recording.isCutShort, note)

    let area = recording.series.samples.reduce(0) { $0 + $1.area }
    let blank = recording.series.samples.reduce(0) { $0 + $1.blank }
    #expect(abs(blank / area - (run[.blankRatio] ?? -1)) < 1e-4, note)

    #expect(Double(recording.appearances.count) == run[.appearances], note)
    let ready = recording.appearances.count { $0.shown == $0.start }
    #expect(
      abs(Double(ready) / Double(recording.appearances.count) - (run[.readyOnAppear] ?? -1)) < 1e-9, note)
    #expect(recording.appearances.count { $0.shown == nil } == run.timeToImage.cutShort, note)

    #expect(Double(recording.transfers.count) == run[.transfers], note)
    #expect(Double(recording.transfers.count { $0.outcome == .cancelled }) == run[.cancelledTransfers], note)
    // Bytes that arrive after a cancellation belong to no transfer.
    let late = (run[.bytesDown] ?? -1) - Double(recording.transfers.reduce(0) { $0 + $1.bytes })
    #expect(late >= 0 && late <= run[.wastedAfterCancel] ?? -1, note)
    let seen = Set(recording.appearances.filter { $0.shown != nil }.map(\.row))
    let ended = recording.transfers.filter { !seen.contains($0.row) && $0.outcome != .running }
    #expect(Double(ended.reduce(0) { $0 + $1.bytes }) + late == run[.wastedBytes], note)
    #expect(
      Double(recording.transfers.filter(\.isRepeated).reduce(0) { $0 + $1.bytes }) == run[.refetchedBytes],
      note)
    // The memory is sampled once per frame, so the peak may be between two samples.
    let memory = Double(recording.series.samples.compactMap(\.memory).max() ?? -1)
    #expect(memory > 0 && memory <= run[.peakMemoryCost] ?? 0, note)
  }

  @Test func `a recording ends at the first rotation of the screen`() async throws {
    var configuration = try Self.configuration(.skimmer, seed: 1)
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(5))]
    let recording = try #require(try await Simulation(configuration).run(Self.withRecording).recording)
    #expect(recording.isCutShort)
    #expect(recording.appearances.allSatisfy { $0.end <= 5_000_000 })
    #expect(recording.transfers.allSatisfy { $0.start < 5_000_000 })
    configuration.events = []
    configuration.duration = .seconds(5)
    let alone = try #require(try await Simulation(configuration).run(Self.withRecording).recording)
    #expect(recording.appearances.count == alone.appearances.count)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `a recording does not change the run`(seed: UInt64) async throws {
    let configuration = try Self.configuration(.skimmer, seed: seed)
    let recorded = try await Simulation(configuration).run(Self.withRecording)
    let plain = try await Simulation(configuration).run()
    #expect(plain.recording == nil)
    #expect(recorded.fingerprint == plain.fingerprint && recorded.metrics == plain.metrics)
    #expect(try await Simulation(configuration).run(Self.withRecording).recording == recorded.recording)
  }

  @Test func `over HTTP/2 all transfers share one connection`() async throws {
    var configuration = try Self.configuration(.skimmer, seed: 2)
    configuration.network.http = .http2
    let result = try await Simulation(configuration).run(Self.withRecording)
    let transfers = try #require(result.recording).transfers
    #expect(result.metrics.run[.connectionsOpened] == 1)
    #expect(Set(transfers.compactMap(\.connection)) == [0])
  }

  @Test func `over HTTP/1 a transfer has the connection of its request`() async throws {
    let configuration = try Self.configuration(.skimmer, seed: 2)
    let result = try await Simulation(configuration).run(Self.withRecording)
    let transfers = try #require(result.recording).transfers
    let connections = transfers.sorted { ($0.sent ?? .max) < ($1.sent ?? .max) }.compactMap(\.connection)
    let opened = try #require(result.metrics.run[.connectionsOpened])
    // More connections than concurrent transfers, because a cancelled transfer closes its connection.
    #expect(Set(connections).count > 6 && Double(Set(connections).count) <= opened)
    // Connections are numbered in the order of their first use.
    var count = 0
    for connection in connections {
      #expect(connection <= count)
      count = max(count, connection + 1)
    }
    #expect(transfers.allSatisfy { ($0.connection == nil) == ($0.sent == nil) })
    // Some transfers are cancelled before their request is sent.
    #expect(transfers.contains { $0.connection == nil && $0.outcome == .cancelled })
    #expect(transfers.contains { $0.sent ?? 0 > $0.start })
    for (_, spans) in Dictionary(grouping: transfers.filter { $0.connection != nil }, by: \.connection) {
      let spans = spans.sorted { ($0.sent ?? 0) < ($1.sent ?? 0) }
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.sent ?? -1 })
    }
  }

  @Test func `the trace has the requests of the slots, with the row in the middle of the screen`()
    async throws
  {
    var instrumentation = Instrumentation()
    instrumentation.keepsRequests = true
    let result = try await Simulation(Self.configuration(.browser, seed: 1)).run(instrumentation)
    #expect(result.recording == nil)
    let trace = try #require(result.requests).requests
    #expect(Double(trace.count) == result.metrics.run[.slotRequests])
    #expect(
      trace.allSatisfy { $0.key == $0.row && $0.size == 112 * 112 * 4 && abs($0.position - $0.row) <= 7 })
    #expect(zip(trace, trace.dropFirst()).allSatisfy { $0.time <= $1.time })
  }
}

@Suite struct RecordedPictureTests {
  @Test func `the decoding of a repeated image has the row of its transfer`() async throws {
    var configuration = try RecordedRunTests.configuration(.skimmer, seed: 1)
    configuration.list.repeated = try RepeatedPictures(parsing: "zipf:0.8,300")
    let recording = try #require(
      try await Simulation(configuration).run(RecordedRunTests.withRecording).recording)
    let rows = Set(recording.transfers.map(\.row))
    #expect(recording.decodings.count > 10)
    #expect(recording.decodings.allSatisfy { rows.contains($0.row) })
  }
}
