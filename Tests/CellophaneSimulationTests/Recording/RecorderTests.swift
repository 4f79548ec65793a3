internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneResults
@testable internal import CellophaneSimulation
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough)
struct RecorderTests {
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
    #expect(recording.appearances.count { $0.shown == nil } == run.timeToImage.censored, note)

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

  @Test func `a row appears again when its slot is bound again`() throws {
    var screen = ScreenRecorder(try ScriptedRun().scene)
    func draw(_ vsync: Int) {
      let cell = ScreenFrame.Cell(row: 0, slot: 0, area: 1, shown: nil)
      screen.draw(
        ScreenFrame(vsync: vsync, offset: 0, velocity: 0, late: 0, cells: [cell]), inFlight: 0, isKept: true)
    }
    screen.bind(0)
    for vsync in 0..<3 { draw(vsync) }
    screen.bind(0)
    for vsync in 3..<6 { draw(vsync) }
    screen.finish(at: 1_000_000)
    #expect(screen.appearances.count == 2)
    #expect(screen.appearances.first?.end == screen.appearances.last?.start)
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

  @Test func `all spans are within the run and in order`() throws {
    let recording = try ScriptedRun().recording()
    #expect(recording.appearances.count > 100 && recording.decodings.count > 20)
    #expect(recording.transfers.contains { $0.outcome == .cancelled && $0.bytes == 6_000 })
    #expect(recording.appearances.contains { $0.preview != nil && $0.shown != nil })
    for appearance in recording.appearances {
      let moments = [appearance.start, appearance.preview, appearance.shown, appearance.end].compactMap(
        \.self)
      #expect(moments == moments.sorted() && appearance.end <= recording.duration, "\(appearance)")
    }
    for transfer in recording.transfers {
      let moments = [transfer.start, transfer.sent, transfer.firstByte, transfer.end].compactMap(\.self)
      #expect(moments == moments.sorted() && transfer.end <= recording.duration, "\(transfer)")
    }
    #expect(recording.appearances.map(\.start) == recording.appearances.map(\.start).sorted())
    #expect(recording.transfers.map(\.start) == recording.transfers.map(\.start).sorted())
    // A slot shows one row at a time, and a connection carries one transfer at a time.
    for (_, spans) in Dictionary(grouping: recording.appearances, by: \.slot) {
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
    #expect(Set(recording.transfers.map(\.connection)) == [0, 1, 2, 3])
    for (_, spans) in Dictionary(grouping: recording.transfers, by: \.connection) {
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.sent ?? -1 })
    }
  }

  @Test func `over HTTP/2 all transfers share one connection`() async throws {
    var configuration = try Self.configuration(.skimmer, seed: 2)
    configuration.network.http = 2
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

  /// Frames and steps differ in length, so a frame may cover parts of two steps.
  @Test func `the area of a frame counts for every step that shows the frame`() throws {
    let samples = try ScriptedRun(profile: .reader).recording().series.samples.dropLast()
    let pairs = zip(samples, samples.dropFirst()).filter { $0.velocity == 0 && $1.velocity == 0 }
    #expect(pairs.count > 100)
    #expect(pairs.allSatisfy { abs($0.area - $1.area) < 1e-6 || $0.offset != $1.offset })
  }

  @Test func `a long run keeps its first spans and its complete series`() throws {
    let run = try ScriptedRun(profile: .constant(9_000), seconds: 260, rows: 20_000)
    let recording = run.recording()
    let spans = recording.appearances.count + recording.transfers.count + recording.decodings.count
    #expect(spans == Recording.spanLimit && recording.isCutShort && recording.end > 60_000_000)
    #expect(
      (recording.appearances.map(\.start) + recording.transfers.map(\.start)).max() ?? .max <= recording.end)
    #expect(recording.series.samples.count <= Recording.Series.limit)
    let reach = Int64(recording.series.samples.count) * recording.series.step
    #expect(reach >= recording.duration && reach < recording.duration + 2 * recording.series.step)
    // The motion is linear, so the offset near the end is known.
    #expect(abs(recording.series.offset(at: 200_000_000) - 9_000 * 200) < 9_000 * 0.2)
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

@Suite struct RecordedSceneTests {
  /// The part of the bounds within the viewport equals the visible area that the layout computes.
  @Test(arguments: ListKind.allCases)
  func `the bounds of an image match the layout of the list`(kind: ListKind) throws {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.list.rows = 200
    let layout = try configuration.checkedLayout()
    let scene = RecordedScene(
      [ScreenOrientation(layout, ScrollTrajectory(limit: 0))], urls: [], refreshRate: 60,
      duration: .seconds(1))
    for offset in stride(from: 0, to: layout.longestOffset, by: 311) {
      for row in 0..<layout.rows {
        let bounds = scene.bounds(of: row)
        let top = max(Double(bounds.top), offset)
        let bottom = min(Double(bounds.top + bounds.height), offset + Double(layout.viewport.height))
        let visible = max(0, bottom - top) * Double(bounds.width)
        // Bounds are rounded to whole pixels, so they may differ by one row of pixels.
        #expect(
          abs(visible - layout.visibleArea(of: row, at: offset)) <= Double(bounds.width),
          "row \(row) of \(kind) at \(offset)")
      }
    }
    for row in 0..<layout.rows - 1 {
      let (bounds, next) = (scene.bounds(of: row), scene.bounds(of: row + 1))
      #expect(bounds.left >= 0 && bounds.left + bounds.width <= layout.viewport.width)
      #expect(next.left >= bounds.left + bounds.width || next.top >= bounds.top + bounds.height)
    }
  }

  @Test func `the decoding of a repeated image has the row of its transfer`() async throws {
    var configuration = try RecorderTests.configuration(.skimmer, seed: 1)
    configuration.list.repeated = try RepeatedPictures(parsing: "zipf:0.8,300")
    let recording = try #require(
      try await Simulation(configuration).run(RecorderTests.withRecording).recording)
    let rows = Set(recording.transfers.map(\.row))
    #expect(recording.decodings.count > 10)
    #expect(recording.decodings.allSatisfy { rows.contains($0.row) })
  }
}

@Suite struct SeriesTests {
  @Test(arguments: [1, 2_400, 2_401, 4_801, 12_345])
  func `joined steps keep all areas and peaks`(count: Int) {
    var series = Recording.Series()
    var expected = (blank: 0.0, area: 0.0, inFlight: 0)
    for index in 0..<count {
      // The recorder appends a step when the last one ends, which is later for longer steps.
      guard Int64(series.samples.count) * series.step <= Int64(index) * 25_000 else {
        series.add(blank: 1, area: 4)
        series.note(inFlight: index % 7, memory: index)
        expected = (expected.blank + 1, expected.area + 4, max(expected.inFlight, index % 7))
        continue
      }
      series.append(Recording.Series.Sample(offset: Double(index), velocity: 1))
      series.add(blank: 1, area: 4)
      series.note(inFlight: index % 7, memory: index)
      expected = (expected.blank + 1, expected.area + 4, max(expected.inFlight, index % 7))
    }
    #expect(series.samples.count <= Recording.Series.limit)
    #expect(series.samples.reduce(0) { $0 + $1.blank } == expected.blank)
    #expect(series.samples.reduce(0) { $0 + $1.area } == expected.area)
    #expect(series.samples.map(\.inFlight).max() == expected.inFlight)
    #expect(series.samples.compactMap(\.memory).max() == count - 1)
    for (index, sample) in series.samples.enumerated() {
      #expect(sample.offset == Double(Int64(index) * series.step / 25_000))
    }
  }
}
