public import Cellophane
public import Observation

/// One value of state, changed in one place.
///
/// Actions come from people and from effects. The reducer, a pure function, returns the effects of an action
/// and changes the state. The same actions therefore always give the same states; see ``Recording``.
///
/// Observable. Not `Sendable`: it belongs to the actor that created it, `MainActor` or any other. Reducing,
/// observing and the start of effects happen in its isolation. Releasing it cancels its effects.
public final class Store<State, Action>: Observable {
  /// A function that changes the state for an action and returns the effects to run. It must not depend on or
  /// change anything else.
  public typealias Reducer = (inout State, Action) -> Effects<Action>

  /// The current state.
  public private(set) var state: State {
    get {
      registrar.access(self, keyPath: statePath)
      return current
    }
    _modify {
      registrar.willSet(self, keyPath: statePath)
      defer { registrar.didSet(self, keyPath: statePath) }
      yield &current
    }
  }

  private var current: State
  private let registrar = ObservationRegistrar()
  /// The key path of ``state``. The code of `@Observable` creates it in each access, which takes a microsecond in a
  /// generic type.
  private let statePath: KeyPath<Store, State> = \.state
  private let timeline: Timeline
  private let reduce: Reducer
  private let effects: EffectTable
  /// The number of reduced actions, for callers that check often for changes.
  private(set) var reductions = 0
  /// The action that is being reduced, and the actions that observers sent since.
  private var queue: [Action] = []
  private var record: (start: Duration, recording: Recording)?
  private var listeners: [StateListener<State>] = []

  /// Creates a store in the state `initial`. Effects run on `timeline`.
  public init(_ initial: State, timeline: Timeline = Timeline(), reduce: @escaping Reducer) {
    current = initial
    self.timeline = timeline
    self.reduce = reduce
    effects = EffectTable(timeline: timeline)
  }

  /// The number of effects that run or wait for their delay.
  public var runningEffects: Int { effects.count }

  /// Reduces `action` and starts its effects. An action that an observer sends during a reduction is reduced
  /// after it.
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

  /// Cancels all effects and drops their actions. The state does not change, even if it waits for such an
  /// action.
  public func cancelEffects() { effects.removeAll() }

  /// Records the actions from now on, and the current state.
  public func startRecording() { record = (timeline.now, Recording(initial: state)) }

  /// Ends the recording; returns nil if there was none.
  public func stopRecording() -> Recording? {
    defer { record = nil }
    return record?.recording
  }

  /// Returns the states after each action of `recording`. The store's state does not change, and no effect
  /// runs. O(actions) reductions.
  public func replay(_ recording: Recording) -> [State] {
    var state = recording.initial
    return recording.entries.map { entry in
      _ = reduce(&state, entry.action)
      return state
    }
  }

  /// Passes each later state to `listener`.
  func addListener(_ listener: StateListener<State>) { listeners.append(listener) }

  private func reduce(_ action: Action, isolation: isolated any Actor) {
    if let start = record?.start {
      record?.recording.note(action, at: timeline.now - start)
    }
    reductions += 1
    let steps = reduce(&state, action).steps
    if !listeners.isEmpty { listeners.removeAll { !$0.yield(state) } }
    for step in steps {
      switch step {
      case .cancel(let id): effects.cancel(id)
      case .run(let work): run(work, isolation: isolation)
      }
    }
  }

  private func run(_ work: Effects<Action>.Work, isolation: isolated any Actor) {
    effects.run(work.id, priority: work.priority, isolation: isolation) { [weak self, timeline] run in
      if work.delay > .zero {
        do { try await timeline.sleep(for: work.delay) } catch { return }
      }
      guard run.isCurrent else { return }
      await work.operation(Effects.Send(ActionCommit(self, run, isolation).callAsFunction))
    }
  }
}
