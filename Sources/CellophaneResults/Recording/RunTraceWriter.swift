internal import Cellophane
internal import Synchronization

/// An observer that writes the events of a run as a trace, which ``RunTraceReader`` reads.
package final class RunTraceWriter: RunObserver {
  private struct State {
    var lines: [UInt8] = []
    /// The last reported number of bytes of each running transfer.
    var progress: [Int: Int] = [:]
    /// The last binding, if no event followed it.
    var binding: (slot: Int, row: Int, time: Duration)?
    /// The slots that were bound and have no state yet.
    var bound: Set<Int> = []
    /// The end of the run; nil while it runs.
    var end: Duration?
  }

  private let scene: RecordedScene
  private let state = Mutex(State())

  /// Creates a writer for a run of `scene`.
  package init(_ scene: RecordedScene) { self.scene = scene }

  package func note(_ event: RunEvent, at time: Duration) {
    state.withLock { state in
      if state.end == nil { add(event, at: time, to: &state) }
    }
  }

  /// Ends the run at `time`. Later events are ignored.
  package func end(at time: Duration) { state.withLock { $0.end = time } }

  /// Returns the trace of the run of `loader`, which ended with `counters`.
  ///
  /// - Parameter configuration: The scenario with the seed of the run.
  package func text(
    of loader: String, _ configuration: SimulationConfiguration, _ counters: RunTraceCounters
  ) throws -> [UInt8] {
    var configuration = configuration
    configuration.replicas = 1
    var text = Array("{\"schema\":\"\(RunTrace.schema)\",\"loader\":\"\(loader)\",\"scenario\":".utf8)
    text += try configuration.scenario() + Array("}\n".utf8)
    let (lines, progress, end) = state.withLock { ($0.lines, $0.progress, $0.end) }
    text += lines
    let time = Self.milliseconds(end ?? configuration.duration)
    for (number, bytes) in progress.sorted(by: { $0.key < $1.key }) {
      text += Array(
        "{\"t_ms\":\(time),\"event\":\"progress\",\"transfer\":\(number),\"bytes\":\(bytes)}\n".utf8)
    }
    let values: [(RunTraceCounters.CodingKeys, Int?)] = [
      (.staleDropped, counters.staleDropped), (.peakTransfers, counters.peakTransfers),
      (.connections, counters.connections), (.receivedAfterCancel, counters.receivedAfterCancel),
      (.peakMemory, counters.peakMemory),
    ]
    let known = values.compactMap { key, value in value.map { ",\"\(key.rawValue)\":\($0)" } }
    return text + Array("{\"t_ms\":\(time),\"event\":\"end\"\(known.joined())}\n".utf8)
  }

  private func add(_ event: RunEvent, at time: Duration, to state: inout State) {
    func line(_ kind: RunTraceEvent.Kind, _ fields: String, at time: Duration = time) {
      state.lines += "{\"t_ms\":\(Self.milliseconds(time)),\"event\":\"\(kind.rawValue)\"\(fields)}\n".utf8
    }
    if let (slot, row, time) = state.binding {
      state.binding = nil
      // A slot whose new row has the same image reports no state after its binding.
      var isKept = true
      if case .displayed(slot, _, _) = event { isKept = false }
      if !isKept { state.bound.insert(slot) }
      line(isKept ? .keep : .bind, ",\"slot\":\(slot),\"row\":\(row)", at: time)
    }
    switch event {
    case .bound(let slot, let row): state.binding = (slot, row, time)
    case .displayed(let slot, _, let shown):
      let isFirst = state.bound.remove(slot) != nil
      // A bound slot waits.
      if case .loading(nil) = shown, isFirst { return }
      line(kind(of: shown), ",\"slot\":\(slot)\(fields(of: shown))")
    case .drawn(let frame):
      let late = frame.late > 0 ? ",\"late\":\(frame.late)" : ""
      line(.draw, ",\"vsync\":\(frame.vsync - frame.late)\(late)")
    case .transferBegan(let number, let url):
      guard let row = scene.row(of: url) else { return }
      state.progress[number] = 0
      line(.start, ",\"transfer\":\(number),\"row\":\(row)")
    case .transferProgressed(let number, let bytes):
      if state.progress[number] != nil { state.progress[number] = bytes }
    case .transferEnded(let number, let outcome, let bytes):
      guard state.progress[number] != nil else { return }
      state.progress[number] = bytes
      let fields = ",\"transfer\":\(number),\"bytes\":\(bytes)"
      switch outcome {
      case .completed(let size):
        state.progress[number] = nil
        let known = size == bytes ? "" : ",\"size\":\(size.map { "\($0)" } ?? "null")"
        line(.finish, fields + known)
      case .cancelled: line(.cancel, fields)
      case .failed:
        state.progress[number] = nil
        line(.error, fields)
      }
    case .transferClosed(let number, let bytes):
      // Only a cancelled transfer is open after its end.
      guard state.progress.removeValue(forKey: number) != nil else { return }
      line(.close, ",\"transfer\":\(number),\"bytes\":\(bytes)")
    case .decodingBegan(let number, let identity):
      line(.decode, ",\"decoding\":\(number)" + fields(of: identity))
    case .decodingEnded(let number, _): line(.decoded, ",\"decoding\":\(number)")
    case .resident, .cached, .transferSent, .transferAnswered, .frameShown: break
    }
  }

  private func kind(of state: SlotState<PictureIdentity>) -> RunTraceEvent.Kind {
    switch state {
    case .empty: .clear
    case .loading: .wait
    case .preview: .preview
    case .shown: .show
    case .failed: .fail
    }
  }

  private func fields(of state: SlotState<PictureIdentity>) -> String {
    switch state {
    case .empty: ""
    case .loading(let previous): previous.map(fields) ?? ""
    case .preview(let picture): fields(of: picture)
    case .shown(let picture, let source): fields(of: picture) + ",\"source\":\"\(source.rawValue)\""
    case .failed(let error, let previous):
      ",\"reason\":\"\(error.kind.rawValue)\"" + (previous.map(fields) ?? "")
    }
  }

  /// Returns the row of `picture`, which is the first one that shows it; null if there is none.
  private func fields(of picture: PictureIdentity) -> String {
    guard case .row(let number, let version) = picture, let row = scene.row(ofPicture: number) else {
      return ",\"row\":null"
    }
    return ",\"row\":\(row)" + (version == 0 ? "" : ",\"version\":\(version)")
  }

  /// Returns `time` in ms with all its digits down to a nanosecond.
  private static func milliseconds(_ time: Duration) -> String {
    let nanoseconds = time.wholeNanoseconds
    let (whole, rest) = (nanoseconds / 1_000_000, nanoseconds % 1_000_000)
    if rest == 0 { return "\(whole)" }
    // Six digits with leading zeros.
    return "\(whole)." + String(rest + 1_000_000).dropFirst()
  }
}
