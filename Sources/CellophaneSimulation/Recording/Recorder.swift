internal import Cellophane
internal import Synchronization

/// Makes a ``Recording`` of a run while it happens.
final class Recorder: RunObserver {
  private let state: Mutex<State>
  private let duration: Duration

  /// A recorder for a run of `scene`.
  init(_ scene: RecordedScene) {
    duration = scene.duration
    state = Mutex(State(scene))
  }

  /// When transfers of a transport that does not tell got their first byte is seen by their progress.
  var wantsProgress: Bool { true }

  func note(_ event: RunEvent, at time: Duration) {
    guard time <= duration else { return }
    let time = time.wholeNanoseconds / 1_000
    state.withLock { $0.note(event, at: time) }
  }

  /// What was recorded of a run that is over, and what the slots asked for.
  func finish() -> (recording: Recording, requests: RequestTrace) {
    state.withLock { $0.finish(at: duration.wholeNanoseconds / 1_000) }
  }

  private struct State {
    let scene: RecordedScene
    var screen: ScreenRecorder
    var transfers: TransferRecorder
    var decodings: DecodingRecorder
    var requests = RequestTrace()
    /// Rows that slots were given since the last frame.
    var bound: [Int] = []
    /// When the first span came that was not kept.
    var end: Int64?

    init(_ scene: RecordedScene) {
      self.scene = scene
      screen = ScreenRecorder(scene)
      transfers = TransferRecorder(scene)
      decodings = DecodingRecorder(scene)
    }

    var spans: Int { screen.appearances.count + transfers.transfers.count + decodings.decodings.count }

    mutating func note(_ event: RunEvent, at time: Int64) {
      if end == nil {
        if let turn = scene.turn, time >= turn {
          end = turn
        } else if spans >= Recording.spanLimit {
          end = time
        }
      }
      let isKept = end == nil
      switch event {
      case .bound(let slot, let row):
        screen.bind(slot)
        bound.append(row)
      case .displayed(let slot, _, let state): screen.display(state, in: slot)
      case .drawn(let frame):
        ask(for: frame, at: time)
        screen.draw(frame, inFlight: transfers.running, isKept: isKept)
      case .transferBegan(let number, let url): transfers.begin(number, url, at: time, isKept: isKept)
      case .transferSent(let number, let connection): transfers.send(number, over: connection, at: time)
      case .transferAnswered(let number): transfers.answer(number, at: time)
      case .transferProgressed(let number, let bytes): transfers.progress(number, bytes: bytes, at: time)
      case .transferEnded(let number, let outcome, let bytes):
        transfers.end(number, outcome, bytes: bytes, at: time)
      case .transferLeft(let number, let bytes): transfers.leave(number, bytes: bytes, at: time)
      case .decodingBegan(let number, let identity):
        decodings.begin(number, of: identity, at: time, isKept: isKept)
      case .decodingEnded(let number, _): decodings.end(number, at: time)
      case .cached(let bytes): screen.cached = bytes
      case .resident: break
      }
    }

    /// Notes what the slots asked for in `frame`.
    private mutating func ask(for frame: ScreenFrame, at time: Int64) {
      let moment = Duration.microseconds(time)
      let rows = frame.cells.map(\.row)
      let middle = ((rows.min() ?? 0) + (rows.max() ?? 0)) / 2
      for row in bound where requests.requests.count < scene.requestLimit {
        requests.requests.append(
          RequestTrace.Request(
            time: time, key: scene.key(of: row, at: moment), size: scene.cost(of: row, at: moment), row: row,
            position: middle))
      }
      bound.removeAll(keepingCapacity: true)
    }

    mutating func finish(at time: Int64) -> (recording: Recording, requests: RequestTrace) {
      screen.finish(at: time)
      transfers.finish(at: time)
      decodings.finish(at: time)
      let asked = requests.requests.lazy.map {
        CacheRequest(key: $0.key, cost: $0.size, row: $0.row, position: $0.position)
      }
      let recording = Recording(
        appearances: screen.appearances, transfers: transfers.transfers, decodings: decodings.decodings,
        series: screen.series, caches: try? CacheCurve(asked),
        viewport: [scene.layout.viewport.width, scene.layout.viewport.height], end: min(end ?? time, time),
        duration: time)
      return (recording, requests)
    }
  }
}
