@testable import CellophaneResults
internal import SimulationTestSupport
import Testing

@Suite struct SeriesTallyTests {
  @Test func `a short run has bins of 100 ms`() {
    let series = ResultFixture.series(seconds: 2)
    #expect(series.binMilliseconds == 100)
    #expect(series.offset == (0..<20).map(Double.init))
    #expect(series.blankRatio.prefix(3) == [1, 0, 1])
    #expect(series.inFlight.prefix(4) == [0, 1, 2, 3])
    #expect(series.bytes.reduce(0, +) == 200)
  }

  @Test(arguments: [600, 601, 3_600, 86_400])
  func `a long run has wider bins, at most the maximum number, and loses no bytes`(seconds: Int) {
    let series = ResultFixture.series(seconds: seconds)
    #expect(series.bytes.count <= SeriesTally.most)
    #expect(series.bytes.count > SeriesTally.most / 2 - 1)
    #expect(Double(series.bytes.count) * series.binMilliseconds >= Double(seconds) * 1_000)
    #expect(series.bytes.reduce(0, +) == 100 * seconds)
    if seconds > 600 {
      #expect(series.velocity[0] == 75)
      #expect(series.blankRatio[0] == 0.5)
      #expect(series.offset[1] == series.binMilliseconds / 100)
      #expect(series.inFlight.allSatisfy { (1...3).contains($0) })
    }
  }

  @Test func `a bin without an event has the running transfers, not an earlier peak`() {
    var tally = SeriesTally()
    for (inFlight, time) in [(1, 0), (5, 20), (3, 40), (2, 320), (0, 390)] {
      tally.note(inFlight: inFlight, bytes: 0, at: .milliseconds(time))
    }
    let frame = ScreenFrame(vsync: 0, offset: 0, velocity: 0, late: 0, cells: [])
    tally.add(frame, at: .milliseconds(550), for: 1, blank: nil)
    #expect(tally.series.inFlight == [5, 3, 3, 3, 0, 0])
  }

  @Test func `unknown values stay unknown`() {
    var tally = SeriesTally()
    let frame = ScreenFrame(vsync: 0, offset: 0, velocity: 0, late: 0, cells: [])
    tally.add(frame, at: .zero, for: 1, blank: nil)
    tally.note(inFlight: 2, bytes: 5, at: .milliseconds(250))
    #expect(tally.series.blankRatio == [nil, nil, nil])
    #expect(tally.series.velocity == [0, nil, nil])
    #expect(tally.series.inFlight == [0, 0, 2])
  }
}
