/// The phases of a run. They depend only on the gestures, so they are the same for all loaders.
package enum RunPhase: String, Sendable, Hashable, CaseIterable {
  /// The time until the first movement of the list.
  case cold
  /// The time at the lowest position so far.
  case scroll
  /// The time above the lowest position so far, where most rows appear again.
  case back
}

/// One value for each phase of a run.
struct PerPhase<Value: Sendable>: Sendable {
  private var values: [Value]

  /// Creates the same value for each phase.
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
  /// Creates empty sums.
  init() { self.init(Value()) }

  /// The sum over the phases.
  var total: Value {
    RunPhase.allCases.reduce(into: Value()) { $0 += self[$1] }
  }
}

/// Determines the phase of each frame.
struct PhaseClock: Sendable {
  /// The phase of the last frame.
  private(set) var current = RunPhase.cold
  private var furthest = 0.0

  /// Advances to `frame`.
  mutating func move(to frame: ScreenFrame) {
    if current == .cold, frame.velocity == 0, frame.vsync == 0 || frame.offset == furthest {
      furthest = frame.offset
      return
    }
    current = frame.offset < furthest ? .back : .scroll
    furthest = max(furthest, frame.offset)
  }
}
