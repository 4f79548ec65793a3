/// The parts of a run. They depend on the gestures alone, so that they are the same for every loader.
public enum RunPhase: String, Sendable, Hashable, CaseIterable {
  /// Until the list moves for the first time.
  case cold
  /// The list is as far down as it has ever been.
  case scroll
  /// The list is above where it has been: most rows are seen again.
  case back
}

/// One value for each phase of a run.
struct PerPhase<Value: Sendable>: Sendable {
  private var values: [Value]

  /// The same value for each.
  init(_ value: Value) { values = Array(repeating: value, count: RunPhase.allCases.count) }

  /// The value of `phase`.
  subscript(phase: RunPhase) -> Value {
    get { values[Self.index(of: phase)] }
    set { values[Self.index(of: phase)] = newValue }
    _modify { yield &values[Self.index(of: phase)] }
  }

  private static func index(of phase: RunPhase) -> Int {
    switch phase {
    case .cold: 0
    case .scroll: 1
    case .back: 2
    }
  }
}

extension PerPhase where Value: Additive {
  /// No sums yet.
  init() { self.init(Value()) }

  /// The sum over the phases.
  var total: Value {
    RunPhase.allCases.reduce(into: Value()) { $0 += self[$1] }
  }
}

/// Tells which phase it is.
struct PhaseClock: Sendable {
  /// The phase of the last frame.
  private(set) var current = RunPhase.cold
  private var furthest = 0.0

  /// Moves on to `frame`.
  mutating func move(to frame: ScreenFrame) {
    if current == .cold, frame.velocity == 0, frame.vsync == 0 || frame.offset == furthest {
      furthest = frame.offset
      return
    }
    current = frame.offset < furthest ? .back : .scroll
    furthest = max(furthest, frame.offset)
  }
}
