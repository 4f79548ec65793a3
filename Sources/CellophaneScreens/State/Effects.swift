/// Async work that a reducer requests. A value: nothing runs until a ``Store`` runs it, in the order of the
/// requests.
///
/// An operation starts in the store's isolation if the compiler can see that: a closure of a reducer that
/// belongs to the store's actor, such as `@MainActor`, or a `nonisolated(nonsending)` function. Other
/// operations run elsewhere, and may send from there.
///
/// ```swift
/// case .refresh:
///   state.isLoading = true
///   return .run(id: Work.refresh) { send in await send(.loaded(await news())) }
/// case .leave:
///   return .cancel(id: Work.refresh)
/// ```
public struct Effects<Action> {
  /// The function that sends actions to the store, in its isolation. Actions of a cancelled or replaced effect
  /// are dropped.
  public struct Send {
    private let body: (sending Action) async -> Void

    init(_ body: @escaping (sending Action) async -> Void) { self.body = body }

    /// Sends `action`, from any isolation. It is reduced when this returns, unless an observer sends it while
    /// another action is being reduced.
    public func callAsFunction(_ action: sending Action) async { await body(action) }
  }

  /// One step for a store to perform.
  enum Step {
    case run(Work)
    case cancel(id: AnyHashable)
  }

  /// Work to run. It replaces other work with the same identity.
  struct Work {
    let id: AnyHashable?
    let delay: Duration
    let priority: TaskPriority?
    let operation: (Send) async -> Void
  }

  let steps: [Step]

  private init(_ steps: [Step]) { self.steps = steps }

  /// No work.
  public static var none: Effects { Effects([]) }

  /// Runs `operation`, which starts in the store's isolation and sends its results as actions. It cannot
  /// throw: work that can fail sends an action that carries the failure.
  public static func run(priority: TaskPriority? = nil, _ operation: @escaping (Send) async -> Void)
    -> Effects
  {
    Effects([.run(Work(id: nil, delay: .zero, priority: priority, operation: operation))])
  }

  /// Runs `operation`, and cancels the effect with the same identity. Actions of the cancelled effect are
  /// dropped.
  ///
  /// - Parameter delay: The time before the operation starts. Repeated effects with a delay are debounced.
  public static func run(
    id: some Hashable, after delay: Duration = .zero, priority: TaskPriority? = nil,
    _ operation: @escaping (Send) async -> Void
  ) -> Effects {
    Effects([.run(Work(id: AnyHashable(id), delay: delay, priority: priority, operation: operation))])
  }

  /// Cancels the effect with this identity, whether it waits or runs. Its actions are dropped.
  public static func cancel(id: some Hashable) -> Effects { Effects([.cancel(id: AnyHashable(id))]) }

  /// Returns the effects of `a`, followed by those of `b`.
  public static func + (a: Effects, b: Effects) -> Effects { Effects(a.steps + b.steps) }
}
