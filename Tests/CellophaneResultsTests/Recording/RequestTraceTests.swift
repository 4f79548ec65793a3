internal import Testing

@testable internal import CellophaneResults
internal import SimulationTestSupport

@Suite struct RequestTraceTests {
  @Test func `rows with the same URL share a key`() throws {
    let run = try ScriptedRun()
    let scene = RecordedScene(
      [ScreenOrientation(run.layout, run.trajectory)],
      urls: run.urls.enumerated().map { "http://origin/\($0.offset % 3)" }, refreshRate: 60,
      duration: run.duration)
    let recorder = Recorder(scene)
    run.play(for: recorder)
    let trace = recorder.finish().requests
    #expect(trace.requests.allSatisfy { $0.key == $0.row % 3 })
  }
}
