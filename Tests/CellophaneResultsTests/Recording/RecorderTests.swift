internal import Testing

@testable internal import CellophaneResults
internal import SimulationTestSupport
internal import TestSupport

@Suite(.thorough)
struct RecorderTests {
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
}
