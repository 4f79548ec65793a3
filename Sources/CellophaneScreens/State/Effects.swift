/// Async work that a reducer asks for. A value: nothing runs before a ``Store`` runs it, in the order in which it was asked for.
///
/// An operation begins in the store's isolation where the compiler knows it: a closure of a reducer that belongs to the store's
/// actor, as `@MainActor`, or a function that is `nonisolated(nonsending)`. Others run elsewhere, and may send from there.
///
/// ```swift
/// case .refresh:
///   state.isLoading = true
///   return .run(id: Work.refresh) { send in await send(.loaded(await news())) }
/// case .leave:
///   return .cancel(id: Work.refresh)
/// ```
public struct Effects<Action> {
  /// Sends actions back to the store, in its isolation. What an effect sends that was cancelled or replaced is dropped.
  public struct Send {
    private let body: (sending Action) async -> Void

    init(_ body: @escaping (sending Action) async -> Void) { self.body = body }

    /// Sends `action`, from any isolation; it is reduced when this returns, unless an observer sends it while another is.
    public func callAsFunction(_ action: sending Action) async { await body(action) }
  }

  /// One thing for a store to do.
  enum Step {
    case run(Work)
    case cancel(id: AnyHashable)
  }

  /// Work to run, in place of other work under its identity.
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

  /// Runs `operation`, which begins in the store's isolation and sends its results as actions. It has no way to throw: what
  /// can fail sends an action that says so.
  public static func run(priority: TaskPriority? = nil, _ operation: @escaping (Send) async -> Void)
    -> Effects
  {
    Effects([.run(Work(id: nil, delay: .zero, priority: priority, operation: operation))])
  }

  /// Runs `operation` in place of the effect under the same identity, which is cancelled and whose actions never land.
  ///
  /// - Parameter delay: How long it waits before it begins. With effects that come again meanwhile, this debounces.
  public static func run(
    id: some Hashable, after delay: Duration = .zero, priority: TaskPriority? = nil,
    _ operation: @escaping (Send) async -> Void
  ) -> Effects {
    Effects([.run(Work(id: AnyHashable(id), delay: delay, priority: priority, operation: operation))])
  }

  /// Cancels the effect under this identity, whether it waits or runs; its actions never land.
  public static func cancel(id: some Hashable) -> Effects { Effects([.cancel(id: AnyHashable(id))]) }

  /// The effects of `a`, then those of `b`.
  public static func + (a: Effects, b: Effects) -> Effects { Effects(a.steps + b.steps) }
}
