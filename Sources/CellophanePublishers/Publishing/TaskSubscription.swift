#if Publishers
  internal import Cellophane
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Synchronization

  /// The subscription of one subscriber to the values of its task.
  ///
  /// The task begins with the first demand and waits for demand before each value, so it produces no value without demand.
  final class TaskSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    /// Produces the values by calling ``hasDemand()`` and ``send(_:)`` in turn, and returns the completion.
    typealias Produce = @Sendable (TaskSubscription) async -> Result<Void, Failure>

    private struct State {
      /// Nil after the end of the subscription.
      var downstream: Downstream?
      /// Nil after the start of the task.
      var produce: Produce?
      /// False until the subscriber has received its subscription. No value may arrive before.
      var isOpen = false
      var demand = Subscribers.Demand.none
      /// The continuation of the task while it waits for demand.
      var waiting: OneShot<Bool>?
      var task: Task<Void, Never>?
    }

    /// Unchecked: the order of the calls protects the subscriber. `subscribe` passes the subscription, `open` then lets the
    /// task begin, and only this task makes further calls. Subscribers may rely on this order, but not on a thread.
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

    /// Passes a subscription to `subscriber`, and begins with its first demand.
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
      // Released outside the lock, because a release may cancel other work.
      let left = state.withLock { state in
        defer { (state.downstream, state.produce, state.waiting, state.task) = (nil, nil, nil, nil) }
        return (state.downstream, state.produce, state.waiting, state.task)
      }
      left.2?.settle(false)
      left.3?.cancel()
    }

    /// Waits for demand. Returns false if the subscription is cancelled first. Only the task calls this.
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

    /// Sends a value that was requested. Only the task calls this.
    func send(_ value: Output) {
      let downstream = state.withLock { state in
        if state.downstream != nil { state.demand -= 1 }
        return state.downstream
      }
      guard let downstream else { return }
      // Outside the lock, because the subscriber may request more values or cancel during this call.
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
