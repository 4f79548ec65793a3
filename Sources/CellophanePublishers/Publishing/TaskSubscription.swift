#if Publishers
  internal import Cellophane
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Synchronization

  /// The subscription of one subscriber to values that come from a task of its own.
  ///
  /// The task begins with the first demand, and asks for it before each value, so none is made that was not asked for.
  final class TaskSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    /// Makes the values: ``hasDemand()``, ``send(_:)``, and so on; returns how it ended.
    typealias Produce = @Sendable (TaskSubscription) async -> Result<Void, Failure>

    private struct State {
      /// Nil once the subscription has ended.
      var downstream: Downstream?
      /// Nil once it runs.
      var produce: Produce?
      /// False while the subscriber is being told of the subscription: nothing may reach it before.
      var isOpen = false
      var demand = Subscribers.Demand.none
      /// The task, when it waits for demand.
      var waiting: OneShot<Bool>?
      var task: Task<Void, Never>?
    }

    /// Protected by turns: `subscribe` tells the subscriber of its subscription, and only after that `open` lets the one task
    /// begin, which alone tells it of anything else. A subscriber may rely on that, and on no particular thread.
    private struct Downstream: @unchecked Sendable {
      let subscriber: AnySubscriber<Output, Failure>
    }

    private let timeline: Timeline
    private let priority: TaskPriority?
    private let state: Mutex<State>

    private init(
      _ subscriber: AnySubscriber<Output, Failure>, timeline: Timeline, priority: TaskPriority?,
      produce: @escaping Produce
    ) {
      self.timeline = timeline
      self.priority = priority
      state = Mutex(State(downstream: Downstream(subscriber: subscriber), produce: produce))
    }

    /// Tells `subscriber` of its subscription, and begins when it asks for something.
    static func subscribe<S: Subscriber>(
      _ subscriber: S, timeline: Timeline, priority: TaskPriority?, produce: @escaping Produce
    ) where S.Input == Output, S.Failure == Failure {
      let subscription = TaskSubscription(
        AnySubscriber(subscriber), timeline: timeline, priority: priority, produce: produce)
      subscriber.receive(subscription: subscription)
      subscription.open()
    }

    private func open() {
      state.withLock { $0.isOpen = true }
      beginIfWanted()
    }

    func request(_ demand: Subscribers.Demand) {
      let waiting = state.withLock { state in
        state.demand += demand
        return state.demand > .none ? state.waiting.take() : nil
      }
      waiting?.settle(true)
      beginIfWanted()
    }

    private func beginIfWanted() {
      let begun = state.withLock { state -> Produce? in
        guard state.isOpen, state.demand > .none, state.downstream != nil else { return nil }
        return state.produce.take()
      }
      guard let begun else { return }
      let task = timeline.spawn(priority: priority) { self.end(await begun(self)) }
      let isCancelled = state.withLock { state in
        if state.downstream != nil { state.task = task }
        return state.downstream == nil
      }
      if isCancelled { task.cancel() }
    }

    func cancel() {
      // Let go of outside the lock: what goes with it may cancel something else.
      let left = state.withLock { state in
        defer { (state.downstream, state.produce, state.waiting, state.task) = (nil, nil, nil, nil) }
        return (state.downstream, state.produce, state.waiting, state.task)
      }
      left.2?.settle(false)
      left.3?.cancel()
    }

    /// Waits until a value is asked for; false when the subscription was cancelled first. For the task alone.
    func hasDemand() async -> Bool {
      let cell = OneShot<Bool>()
      let known = state.withLock { state -> Bool? in
        if state.downstream == nil { return false }
        if state.demand > .none { return true }
        state.waiting = cell
        return nil
      }
      if let known { return known }
      return await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        cell.settle(false)
      }
    }

    /// Sends a value that was asked for. For the task alone.
    func send(_ value: Output) {
      let downstream = state.withLock { state in
        if state.downstream != nil { state.demand -= 1 }
        return state.downstream
      }
      guard let downstream else { return }
      // Outside the lock: the subscriber may ask for more, or cancel, meanwhile.
      let more = downstream.subscriber.receive(value)
      if more > .none { state.withLock { $0.demand += more } }
    }

    private func end(_ ending: Result<Void, Failure>) {
      let downstream = state.withLock { state in
        state.task = nil
        return state.downstream.take()
      }
      switch ending {
      case .success: downstream?.subscriber.receive(completion: .finished)
      case .failure(let error): downstream?.subscriber.receive(completion: .failure(error))
      }
    }
  }
#endif
