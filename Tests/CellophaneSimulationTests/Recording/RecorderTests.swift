internal import Cellophane
internal import CellophaneTesting
internal import Testing

@testable internal import CellophaneSimulation
internal import TestSupport

@Suite(.thorough)
struct RecorderTests {
  static let records: Instrumentation = {
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

  /// What is drawn must be what is counted.
  @Test(arguments: [ScrollProfile.reader, .browser, .skimmer], [1, 2] as [UInt64])
  func `a recording adds up to the numbers of its run`(profile: ScrollProfile, seed: UInt64) async throws {
    let result = try await Simulation(Self.configuration(profile, seed: seed)).run(Self.records)
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
    // What still comes down the line after a transfer was given up is none's.
    let late = (run[.bytesDown] ?? -1) - Double(recording.transfers.reduce(0) { $0 + $1.bytes })
    #expect(late >= 0 && late <= run[.wastedAfterCancel] ?? -1, note)
    let seen = Set(recording.appearances.filter { $0.shown != nil }.map(\.row))
    let ended = recording.transfers.filter { !seen.contains($0.row) && $0.outcome != .running }
    #expect(Double(ended.reduce(0) { $0 + $1.bytes }) + late == run[.wastedBytes], note)
    #expect(
      Double(recording.transfers.filter(\.isRepeated).reduce(0) { $0 + $1.bytes }) == run[.refetchedBytes],
      note)
    // Looked at once a frame, which the peak may lie between.
    let memory = Double(recording.series.samples.compactMap(\.memory).max() ?? -1)
    #expect(memory > 0 && memory <= run[.peakMemoryCost] ?? 0, note)
  }

  @Test func `a recording ends when the screen is turned`() async throws {
    var configuration = try Self.configuration(.skimmer, seed: 1)
    configuration.events = [ScheduledEvent(.rotation, at: .seconds(5))]
    let recording = try #require(try await Simulation(configuration).run(Self.records).recording)
    #expect(recording.isCutShort)
    #expect(recording.appearances.allSatisfy { $0.end <= 5_000_000 })
    #expect(recording.transfers.allSatisfy { $0.start < 5_000_000 })
    configuration.events = []
    configuration.duration = .seconds(5)
    let alone = try #require(try await Simulation(configuration).run(Self.records).recording)
    #expect(recording.appearances.count == alone.appearances.count)
  }

  @Test func `a row appears anew in a slot that is given anew`() throws {
    var screen = ScreenRecorder(try PlayedRun().scene)
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
  func `recording changes nothing`(seed: UInt64) async throws {
    let configuration = try Self.configuration(.skimmer, seed: seed)
    let recorded = try await Simulation(configuration).run(Self.records)
    let plain = try await Simulation(configuration).run()
    #expect(plain.recording == nil)
    #expect(recorded.fingerprint == plain.fingerprint && recorded.metrics == plain.metrics)
    #expect(try await Simulation(configuration).run(Self.records).recording == recorded.recording)
  }

  @Test func `every span lies within the run, in order`() throws {
    let recording = try PlayedRun().recording()
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
    // A slot stands for one row at a time, a connection carries one transfer.
    for (_, spans) in Dictionary(grouping: recording.appearances, by: \.slot) {
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.start })
    }
    #expect(Set(recording.transfers.map(\.connection)) == [0, 1, 2, 3])
    for (_, spans) in Dictionary(grouping: recording.transfers, by: \.connection) {
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.sent ?? -1 })
    }
  }

  @Test func `over HTTP/2 all transfers have one connection`() async throws {
    var configuration = try Self.configuration(.skimmer, seed: 2)
    configuration.network.http = 2
    let result = try await Simulation(configuration).run(Self.records)
    let transfers = try #require(result.recording).transfers
    #expect(result.metrics.run[.connectionsOpened] == 1)
    #expect(Set(transfers.compactMap(\.connection)) == [0])
  }

  @Test func `over HTTP/1 a transfer has the connection that its request goes out over`() async throws {
    let configuration = try Self.configuration(.skimmer, seed: 2)
    let result = try await Simulation(configuration).run(Self.records)
    let transfers = try #require(result.recording).transfers
    let known = transfers.sorted { ($0.sent ?? .max) < ($1.sent ?? .max) }.compactMap(\.connection)
    let opened = try #require(result.metrics.run[.connectionsOpened])
    // More than go on at once: what is given up closes its own.
    #expect(Set(known).count > 6 && Double(Set(known).count) <= opened)
    // Numbered as they come.
    var count = 0
    for connection in known {
      #expect(connection <= count)
      count = max(count, connection + 1)
    }
    #expect(transfers.allSatisfy { ($0.connection == nil) == ($0.sent == nil) })
    // Given up before.
    #expect(transfers.contains { $0.connection == nil && $0.outcome == .cancelled })
    #expect(transfers.contains { $0.sent ?? 0 > $0.start })
    for (_, spans) in Dictionary(grouping: transfers.filter { $0.connection != nil }, by: \.connection) {
      let spans = spans.sorted { ($0.sent ?? 0) < ($1.sent ?? 0) }
      #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.sent ?? -1 })
    }
  }

  /// Frames and steps have lengths of their own.
  @Test func `a frame counts for the steps that it is on the screen in`() throws {
    let samples = try PlayedRun(profile: .reader).recording().series.samples.dropLast()
    let pairs = zip(samples, samples.dropFirst()).filter { $0.velocity == 0 && $1.velocity == 0 }
    #expect(pairs.count > 100)
    #expect(pairs.allSatisfy { abs($0.area - $1.area) < 1e-6 || $0.offset != $1.offset })
  }

  @Test func `a long run is recorded from its beginning, and its series as a whole`() throws {
    let run = try PlayedRun(profile: .constant(9_000), seconds: 260, rows: 20_000)
    let recording = run.recording()
    let spans = recording.appearances.count + recording.transfers.count + recording.decodings.count
    #expect(spans == Recording.spanLimit && recording.isCutShort && recording.end > 60_000_000)
    #expect(
      (recording.appearances.map(\.start) + recording.transfers.map(\.start)).max() ?? .max <= recording.end)
    #expect(recording.series.samples.count <= Recording.Series.limit)
    let reach = Int64(recording.series.samples.count) * recording.series.step
    #expect(reach >= recording.duration && reach < recording.duration + 2 * recording.series.step)
    // Where the list was at the end, a linear motion.
    #expect(abs(recording.series.offset(at: 200_000_000) - 9_000 * 200) < 9_000 * 0.2)
  }

  @Test func `requests are those of the slots, with the row in the middle of the screen`() async throws {
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
  /// What lies within the screen is what a list counts as its visible area.
  @Test(arguments: ListKind.allCases)
  func `pictures are where the list has them`(kind: ListKind) throws {
    var configuration = SimulationConfiguration()
    configuration.list.layout = kind
    configuration.list.rows = 200
    let layout = try configuration.checkedLayout()
    let scene = RecordedScene(
      [ScreenOrientation(layout, ScrollTrajectory(limit: 0))], urls: [], refreshRate: 60,
      duration: .seconds(1))
    for offset in stride(from: 0, to: layout.longestOffset, by: 311) {
      for row in 0..<layout.rows {
        let place = scene.place(of: row)
        let top = max(Double(place.top), offset)
        let bottom = min(Double(place.top + place.height), offset + Double(layout.viewport.height))
        let seen = max(0, bottom - top) * Double(place.width)
        // Half a pixel's line is on one side or the other, and what is less than a line is not in.
        #expect(
          abs(seen - layout.visibleArea(of: row, at: offset)) <= Double(place.width),
          "row \(row) of \(kind) at \(offset)")
      }
    }
    for row in 0..<layout.rows - 1 {
      let (place, next) = (scene.place(of: row), scene.place(of: row + 1))
      #expect(place.left >= 0 && place.left + place.width <= layout.viewport.width)
      #expect(next.left >= place.left + place.width || next.top >= place.top + place.height)
    }
  }

  @Test func `pictures that repeat are decoded for a row that shows them`() async throws {
    var configuration = try RecorderTests.configuration(.skimmer, seed: 1)
    configuration.list.repeated = try RepeatedPictures(parsing: "zipf:0.8,300")
    let recording = try #require(try await Simulation(configuration).run(RecorderTests.records).recording)
    let rows = Set(recording.transfers.map(\.row))
    #expect(recording.decodings.count > 10)
    #expect(recording.decodings.allSatisfy { rows.contains($0.row) })
  }
}

@Suite struct SeriesTests {
  @Test(arguments: [1, 2_400, 2_401, 4_801, 12_345])
  func `steps are joined and nothing is lost`(count: Int) {
    var series = Recording.Series()
    var expected = (blank: 0.0, area: 0.0, inFlight: 0)
    for index in 0..<count {
      // The recorder adds a step when its time has come, which is later in longer steps.
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
