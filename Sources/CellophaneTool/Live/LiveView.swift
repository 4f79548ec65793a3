internal import Cellophane
internal import CellophaneSimulation
internal import CellophaneTesting
internal import Synchronization

/// Shows a run on the terminal while it happens, and slows it down to be watched if that is wanted.
///
/// The picture is drawn over the last one. The cursor stays visible below it, so that there is nothing to restore when
/// the tool is ended.
final class LiveView: Sendable {
  private struct State {
    /// When the run began, by the clock.
    var start: Duration?
    var lastDrawn: Duration?
    /// How many lines are on the terminal, in how many columns.
    var drawn = (lines: 0, columns: 0)
    var history: [Double] = []
    var bin = (blank: 0.0, area: 0.0, number: 0)
    var sum = (blank: 0.0, area: 0.0)
    var frame: LiveFrame?
    /// How many replicas are over.
    var over = 0
  }

  private let state = Mutex(State())
  private let configuration: SimulationConfiguration
  private let speed: Speed
  private let usesColour: Bool
  private let timeline = Timeline()

  /// A view of a run of `configuration`.
  init(_ configuration: SimulationConfiguration, speed: Speed, usesColour: Bool) {
    self.configuration = configuration
    self.speed = speed
    self.usesColour = usesColour
  }

  /// Sixteen pictures a second: movement, and few enough for a slow terminal.
  private static let interval = Duration.milliseconds(62)
  /// The time that a bar of the sparkline stands for.
  private static let binLength = Duration.milliseconds(500)

  /// Makes a simulation show itself here.
  func watch(_ attention: inout Attention) {
    attention.onFrame = { self.show($0) }
    attention.onReplica = { self.show(replicas: $0) }
  }

  /// Shows that so many replicas are over.
  private func show(replicas over: Int) {
    let text = state.withLock { state -> String? in
      state.over = over
      return state.frame.flatMap { draw($0, &state) }
    }
    if let text { Output.raw(text) }
  }

  /// Shows `frame`, when the last picture is old enough; waits for its time, when the run is not to be faster.
  private func show(_ frame: LiveFrame) {
    wait(for: frame.time)
    let text = state.withLock { state -> String? in
      count(frame, &state)
      state.frame = frame
      return draw(frame, &state)
    }
    if let text { Output.raw(text) }
  }

  /// What draws `frame`; nil when the last picture is too young.
  private func draw(_ frame: LiveFrame, _ state: inout State) -> String? {
    let now = timeline.now
    if let last = state.lastDrawn, now - last < Self.interval { return nil }
    state.lastDrawn = now
    return picture(of: frame, &state)
  }

  /// Takes the picture away.
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
    // In short steps, so that Ctrl-C does not wait.
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
      // As many as any terminal is wide.
      if state.history.count > 400 { state.history.removeFirst() }
      state.bin = (0, 0, number)
    }
    state.bin.blank += frame.blank
    state.bin.area += frame.area
  }

  private func picture(of frame: LiveFrame, _ state: inout State) -> String {
    let size = Platform.terminalSize ?? (columns: 80, lines: 24)
    // What is on a terminal whose width has changed lies anywhere.
    var text = size.columns == state.drawn.columns ? Self.up(state.drawn.lines) : "\u{1B}[2J\u{1B}[H"
    if state.drawn.lines == 0 { text = "" }
    let picture = LivePicture(
      frame: frame, history: state.history,
      blankSoFar: state.sum.area > 0 ? state.sum.blank / state.sum.area : 0,
      duration: configuration.duration, replicas: (state.over, configuration.replicas), title: title,
      showsPreviews: configuration.loader.previews, usesColour: usesColour)
    let lines = picture.lines(columns: size.columns, lines: size.lines - 1)
    state.drawn = (lines.count, size.columns)
    text += lines.map { $0 + "\n" }.joined()
    return text
  }

  private var title: String {
    "Cellophane: \(configuration.gesture.profile.name) over \(configuration.network.profile.name)"
  }

  /// Up to where the picture began, and everything from there on taken away.
  private static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)F\u{1B}[J" : "" }
}
