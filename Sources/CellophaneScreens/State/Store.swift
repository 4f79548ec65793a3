public import Cellophane
public import Observation

/// One value of state, changed in one place.
///
/// Actions are sent in, from people and from effects; the reducer, a pure function, says what each makes of the state and
/// which effects it has. So the same actions always give the same states; see ``Recording``.
///
/// Observable. Not `Sendable`: it belongs to the actor that made it, `MainActor` or any other; reducing, observing and the
/// beginning of effects are in its isolation. When it goes, its effects are cancelled.
@Observable
public final class Store<State, Action> {
  /// What an action makes of the state, and the work that it asks for. It must depend on nothing else, and change nothing
  /// else.
  public typealias Reducer = (inout State, Action) -> Effects<Action>

  /// The state now.
  public private(set) var state: State

  private let timeline: Timeline
  private let reduce: Reducer
  private let effects: EffectTable
  /// How many actions were reduced, for who asks often whether anything is new: reading an observed property takes a
  /// microsecond.
  @ObservationIgnored private(set) var reductions = 0
  /// Actions that were sent while another was reduced, by an observer; and that one.
  @ObservationIgnored private var queue: [Action] = []
  @ObservationIgnored private var record: (start: Duration, recording: Recording)?

  /// A store in the state `initial`. Effects run on `timeline`.
  public init(_ initial: State, timeline: Timeline = Timeline(), reduce: @escaping Reducer) {
    state = initial
    self.timeline = timeline
    self.reduce = reduce
    effects = EffectTable(timeline: timeline)
  }

  /// How many effects run or wait for their delay.
  public var runningEffects: Int { effects.count }

  /// Reduces `action` and begins its effects. One that is sent while another is reduced, by an observer, comes after it.
  public func send(_ action: Action, isolation: isolated any Actor = #isolation) {
    queue.append(action)
    guard queue.count == 1 else { return }
    var place = 0
    while place < queue.count {
      reduce(queue[place], isolation: isolation)
      place += 1
    }
    queue.removeAll(keepingCapacity: true)
  }

  /// Cancels all effects; their actions never land. The state stays as it is, also one that waits for such an action.
  public func cancelEffects() { effects.removeAll() }

  /// Records what is sent from now on, from the present state.
  public func startRecording() { record = (timeline.now, Recording(initial: state)) }

  /// Ends the recording; nil when none was begun.
  public func stopRecording() -> Recording? {
    defer { record = nil }
    return record?.recording
  }

  /// The states that the actions of `recording` give, one after each. The state stays as it is, and no effect runs.
  /// O(actions) reductions.
  public func replay(_ recording: Recording) -> [State] {
    var state = recording.initial
    return recording.entries.map { entry in
      _ = reduce(&state, entry.action)
      return state
    }
  }

  private func reduce(_ action: Action, isolation: isolated any Actor) {
    if let start = record?.start {
      record?.recording.note(action, at: timeline.now - start)
    }
    reductions += 1
    for step in reduce(&state, action).steps {
      switch step {
      case .cancel(let id): effects.cancel(id)
      case .run(let work): run(work, isolation: isolation)
      }
    }
  }

  private func run(_ work: Effects<Action>.Work, isolation: isolated any Actor) {
    effects.run(work.id, priority: work.priority, isolation: isolation) { [weak self, timeline] turn in
      if work.delay > .zero {
        do { try await timeline.sleep(for: work.delay) } catch { return }
      }
      guard turn.isCurrent else { return }
      await work.operation(Effects.Send(Landing(self, turn, isolation).callAsFunction))
    }
  }
}
