import Cellophane
import CellophaneTesting

@testable import CellophaneSimulation

/// A screen in virtual time over a transport that answers with the pictures of rows, as slowly as told.
struct Scene {
  let time = VirtualTime()
  let transport: ScriptedTransport
  let layout: ListLayout
  let trajectory: ScrollTrajectory
  let rowsAhead: Int
  let refreshRate: Int
  let duration: Duration

  init(
    rows: Int = 60, profile: ScrollProfile, seed: UInt64 = 1, seconds: Int = 4, rowsAhead: Int = 0,
    refreshRate: Int = 60, limit: Double? = nil, delay: @escaping @Sendable (Int) -> Duration
  ) throws {
    layout = try ListLayout(rows: rows, rowHeight: 120, picture: PixelSize(width: 32, height: 32))
    trajectory = ScrollTrajectory(
      profile: profile, physics: .ios, limit: limit ?? layout.longestOffset, seed: seed,
      lasting: .seconds(seconds))
    duration = .seconds(seconds)
    self.rowsAhead = rowsAhead
    self.refreshRate = refreshRate
    transport = ScriptedTransport(timeline: time.timeline()) { request in
      let row = Int(request.url.split(separator: "/").last ?? "") ?? 0
      let picture = RowPicture(row: row, size: PixelSize(width: 32, height: 32), seed: 1)
      let image = try? Image(width: 32, height: 32, pixels: picture.pixels())
      guard let file = try? image?.encoded(as: .png) else {
        return ScriptedTransport.Answer(.failure(LoadError(.io, "no picture")))
      }
      return ScriptedTransport.Answer(
        after: delay(row), .success(TransportResponse(status: 200, body: file, url: request.url)))
    }
  }

  var plan: ScreenPlan {
    get throws {
      ScreenPlan(
        layout: layout, trajectory: trajectory,
        requests: try (0..<layout.rows).map {
          try ImageRequest("http://rows/\($0)", size: layout.picture, priority: .visible)
        }, refreshRate: refreshRate, duration: duration, rowsAhead: rowsAhead)
    }
  }

  /// Plays it through this library; returns the observation and what is left in flight at the end.
  func playCellophane() throws -> (observation: RunObservation, left: Int)? {
    let recorder = RecordingTransport(transport)
    let bytes = ByteLoader(transport: recorder, timeline: time.timeline())
    let loader = ResourceLoader(
      bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 1 << 20))
    return try play(
      CellophaneList(
        loader: loader, identify: { PictureIdentity(readingRowFrom: $0) }, looksAhead: rowsAhead > 0),
      recorder)
  }

  /// Plays it through the naive loader.
  func playNaive() throws -> (observation: RunObservation, left: Int)? {
    let recorder = RecordingTransport(transport)
    let list = NaiveList(
      transport: recorder, decoder: ImageDecoder(), identify: { PictureIdentity(readingRowFrom: $0) },
      timeline: time.timeline())
    return try play(list, recorder)
  }

  private func play(
    _ list: some ListLoader, _ recorder: RecordingTransport
  ) throws -> (observation: RunObservation, left: Int)? {
    let plan = try plan
    let screen = Screen(plan, loader: list, timeline: time.timeline(), executor: time.lane())
    let observation: RunObservation?? = time.run {
      guard let record = try? await screen.play() else { return nil }
      let log = recorder.log
      await screen.end()
      await time.standstill()
      return RunObservation(record: record, urls: plan.requests.map(\.url), transfers: log)
    }
    guard case .some(.some(let observation)) = observation else { return nil }
    return (observation, transport.running)
  }
}
