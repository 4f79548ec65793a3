internal import Cellophane
internal import Synchronization

/// Creates a ``Recording`` during a run.
package final class Recorder: RunObserver {
  private let state: Mutex<State>
  private let duration: Duration

  /// Creates a recorder for a run of `scene`.
  package init(_ scene: RecordedScene) {
    duration = scene.duration
    state = Mutex(State(scene))
  }

  /// True, because a transport that does not report first bytes is observed through its progress.
  package var needsProgress: Bool { true }

  package func note(_ event: RunEvent, at time: Duration) {
    guard time <= duration else { return }
    let time = time.wholeNanoseconds / 1_000
    state.withLock { $0.note(event, at: time) }
  }

  /// Returns the recording and the requests of the slots at the end of the run.
  package func finish() -> (recording: Recording, requests: RequestTrace) {
    state.withLock { $0.finish(at: duration.wholeNanoseconds / 1_000) }
  }

  private struct State {
    let scene: RecordedScene
    var screen: ScreenRecorder
    var transfers: TransferRecorder
    var decodings: DecodingRecorder
    var requests = RequestTrace()
    /// The rows that were bound to slots since the last frame.
    var bound: [Int] = []
    /// The start of the first span that was not kept.
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
        if let rotation = scene.firstRotation, time >= rotation {
          end = rotation
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
        addRequests(of: frame, at: time)
        screen.draw(frame, inFlight: transfers.running, isKept: isKept)
      case .transferBegan(let number, let url): transfers.begin(number, url, at: time, isKept: isKept)
      case .transferSent(let number, let connection): transfers.send(number, over: connection, at: time)
      case .transferAnswered(let number): transfers.answer(number, at: time)
      case .transferProgressed(let number, let bytes): transfers.progress(number, bytes: bytes, at: time)
      case .transferEnded(let number, let outcome, let bytes):
        transfers.end(number, outcome, bytes: bytes, at: time)
      case .transferClosed(let number, let bytes): transfers.close(number, bytes: bytes, at: time)
      case .decodingBegan(let number, let identity):
        decodings.begin(number, of: identity, at: time, isKept: isKept)
      case .decodingEnded(let number, _): decodings.end(number, at: time)
      case .cached(let bytes): screen.cached = bytes
      case .resident, .frameShown: break
      }
    }

    /// Adds the requests of the slots in `frame`.
    private mutating func addRequests(of frame: ScreenFrame, at time: Int64) {
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
      let cacheRequests = requests.requests.lazy.map {
        CacheRequest(key: $0.key, cost: $0.size, row: $0.row, position: $0.position)
      }
      let recording = Recording(
        appearances: screen.appearances, transfers: transfers.transfers, decodings: decodings.decodings,
        series: screen.series, caches: try? CacheCurve(cacheRequests),
        viewport: [scene.layout.viewport.width, scene.layout.viewport.height], end: min(end ?? time, time),
        duration: time)
      return (recording, requests)
    }
  }
}
