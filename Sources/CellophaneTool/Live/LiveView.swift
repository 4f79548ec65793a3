internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneResults
internal import CellophaneNetwork
internal import Synchronization

/// Shows a running simulation on the terminal, and slows virtual time down to the wanted speed.
///
/// Each screen is drawn over the previous one. The cursor stays visible below it, so that nothing has to be restored when
/// the process is killed.
final class LiveView: Sendable {
  private struct State {
    /// The real time at the start of the run.
    var start: Duration?
    var lastDrawn: Duration?
    /// The size of the screen that is on the terminal.
    var drawn = (lines: 0, columns: 0)
    var history: [Double] = []
    var bin = (blank: 0.0, area: 0.0, number: 0)
    var sum = (blank: 0.0, area: 0.0)
    var frame: LiveFrame?
    /// The run of the naive loader, which has the same gestures.
    var naive = FrameHistory()
    /// The number of finished replicas.
    var over = 0
  }

  private let state = Mutex(State())
  private let configuration: SimulationConfiguration
  private let speed: Speed
  private let usesColor: Bool
  private let timeline = Timeline()

  /// Creates a view of a run of `configuration`.
  init(_ configuration: SimulationConfiguration, speed: Speed, usesColor: Bool) {
    self.configuration = configuration
    self.speed = speed
    self.usesColor = usesColor
  }

  /// The minimum interval of screens: sixteen per second are enough for smooth motion, and few enough for a slow terminal.
  private static let interval = Duration.milliseconds(62)
  /// The time of a bar of the sparkline.
  private static let binLength = Duration.milliseconds(500)

  /// Connects this view to a simulation.
  func watch(_ instrumentation: inout Instrumentation) {
    instrumentation.onFrame = { self.show($0) }
    // The naive loader is played before Cellophane or at the same time, and not slowed down.
    instrumentation.onNaiveFrame = { frame in self.state.withLock { $0.naive.add(frame) } }
    instrumentation.onReplica = { self.show(replicas: $0) }
  }

  /// Shows the number of finished replicas.
  private func show(replicas over: Int) {
    let text = state.withLock { state -> String? in
      state.over = over
      return state.frame.flatMap { draw($0, &state) }
    }
    if let text { Output.raw(text) }
  }

  /// Waits for the time of `frame`, and shows it unless the last screen is too recent.
  private func show(_ frame: LiveFrame) {
    wait(for: frame.time)
    let text = state.withLock { state -> String? in
      count(frame, &state)
      state.frame = frame
      return draw(frame, &state)
    }
    if let text { Output.raw(text) }
  }

  /// Returns the output that draws `frame`; nil if the last screen is too recent.
  private func draw(_ frame: LiveFrame, _ state: inout State) -> String? {
    let now = timeline.now
    if let last = state.lastDrawn, now - last < Self.interval { return nil }
    state.lastDrawn = now
    return output(of: frame, &state)
  }

  /// Removes the screen from the terminal.
  func end() {
    let lines = state.withLock { state in
      defer { state.drawn = (0, 0) }
      return state.drawn.lines
    }
    if lines > 0 { Output.raw(Self.up(lines)) }
  }

  private func wait(for time: Duration) {
    guard let factor = speed.factor, configuration.time == .virtual else { return }
    let start = state.withLock { state in
      let start = state.start ?? timeline.now
      state.start = start
      return start
    }
    // In short steps, so that Ctrl-C has an effect at once.
    while !Task.isCancelled {
      let left = start + time / factor - timeline.now
      guard left > .zero else { return }
      Platform.sleep(min(left, .milliseconds(50)))
    }
  }

  private func count(_ frame: LiveFrame, _ state: inout State) {
    state.sum.blank += frame.blank
    state.sum.area += frame.area
    let number = Int(frame.time / Self.binLength)
    if number != state.bin.number {
      state.history.append(state.bin.area > 0 ? state.bin.blank / state.bin.area : 0)
      // 400: wider than any terminal.
      if state.history.count > 400 { state.history.removeFirst() }
      state.bin = (0, 0, number)
    }
    state.bin.blank += frame.blank
    state.bin.area += frame.area
  }

  private func output(of frame: LiveFrame, _ state: inout State) -> String {
    let size = Platform.terminalSize ?? (columns: 80, lines: 24)
    // After a change of its width, the terminal may have moved the old screen anywhere.
    var text = size.columns == state.drawn.columns ? Self.up(state.drawn.lines) : "\u{1B}[2J\u{1B}[H"
    if state.drawn.lines == 0 { text = "" }
    let naive = state.naive.entry(at: frame.time)
    let screen = LiveScreen(
      frame: frame, naive: LiveScreen.Other(frame: naive?.frame, blankSoFar: naive?.blankSoFar),
      history: state.history,
      blankSoFar: state.sum.area > 0 ? state.sum.blank / state.sum.area : 0,
      duration: configuration.duration, replicas: (state.over, configuration.replicas),
      loader: configuration.loader.name.rawValue, title: title,
      showsPreviews: configuration.loader.previews, usesColor: usesColor)
    let lines = screen.lines(columns: size.columns, lines: size.lines - 1)
    state.drawn = (lines.count, size.columns)
    text += lines.map { $0 + "\n" }.joined()
    return text
  }

  private var title: String {
    "Cellophane: \(configuration.gesture.profile.name) over \(configuration.network.profile.name)  (Ctrl-C stops)"
  }

  /// Returns the sequence that moves the cursor up by `lines` and clears the screen from there.
  private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)F\u{1B}[J" : "" }
}
