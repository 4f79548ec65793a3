import Cellophane
import CellophaneTesting

@testable import CellophaneResults
@testable import CellophaneSimulation

/// A screen in virtual time over a transport that answers with the images of rows, each after a given delay.
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
      guard let file = try? image?.encoded(as: .png) else { return .failure(.io) }
      return .status(200, body: file).after(delay(row))
    }
  }

  var plan: ScreenPlan {
    get throws {
      ScreenPlan(
        orientations: [ScreenOrientation(layout, trajectory)],
        requests: (
          upright: try (0..<layout.rows).map {
            try ImageRequest("http://rows/\($0)", size: layout.picture, priority: .visible)
          }, rotated: []
        ), refreshRate: refreshRate, duration: duration)
    }
  }

  /// The measurements of a run, its frames, and the number of transfers that are left in flight at its end.
  struct Played {
    let observation: RunObservation
    let frames: [ScreenFrame]
    let left: Int
  }

  /// An observer that keeps all frames.
  private final class Frames: RunObserver {
    let all = Notes<ScreenFrame>()

    func note(_ event: RunEvent, at time: Duration) {
      if case .drawn(let frame) = event { all.add(frame) }
    }
  }

  /// Plays the scene through this library. Prefetches by `policy`; by default, `rowsAhead` rows.
  func playCellophane(policy: (any PrefetchPolicy)? = nil) throws -> Played? {
    let (meter, frames) = try meterAndFrames
    let observers = RunObservers([meter, frames], timeline: time.timeline())
    let recorder = RecordingTransport(transport, observers: observers)
    let bytes = ByteLoader(transport: recorder, timeline: time.timeline())
    let loader = ResourceLoader(
      bytes: bytes, decoder: ImageDecoder(), memory: MemoryCache(limit: 1 << 20))
    return try play(
      CellophaneList(
        loader: loader, identify: { PictureIdentity(readingRowFrom: $0) },
        policy: policy ?? RowsAhead(count: rowsAhead)),
      recorder, meter, frames, observers)
  }

  /// Plays the scene through the naive loader.
  func playNaive() throws -> Played? {
    let (meter, frames) = try meterAndFrames
    let observers = RunObservers([meter, frames], timeline: time.timeline())
    let recorder = RecordingTransport(transport, observers: observers)
    let list = NaiveList(
      transport: recorder, decoder: ImageDecoder(), identify: { PictureIdentity(readingRowFrom: $0) },
      timeline: time.timeline())
    return try play(list, recorder, meter, frames, observers)
  }

  private var meterAndFrames: (RunMeter, Frames) {
    get throws {
      let tally = RunTally(
        refreshRate: refreshRate, urls: try plan.requests.upright.map(\.url),
        evidence: .numbers(Array(0..<layout.rows)),
        keepsSeries: true)
      return (RunMeter(tally), Frames())
    }
  }

  private func play(
    _ list: some ListLoader, _ recorder: RecordingTransport, _ meter: RunMeter, _ frames: Frames,
    _ observers: RunObservers
  ) throws -> Played? {
    let screen = Screen(try plan, loader: list, executor: time.lane(), observers: observers)
    let observation: RunObservation?? = time.run {
      guard let end = try? await screen.play() else { return nil }
      recorder.noteProgress()
      let observation = RunObservation(tally: meter.finish(at: end))
      await screen.end()
      await time.quiescence()
      return observation
    }
    guard case .some(.some(let observation)) = observation else { return nil }
    return Played(observation: observation, frames: frames.all.all, left: transport.running)
  }
}
