#if Publishers
  internal import Cellophane
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Synchronization

  /// The consumer of a publisher, which requests one value at a time. Cancels the subscription when it is released.
  final class ElementSource<Input: Sendable, Failure: Error>: Sendable {
    private let receiver = Receiver()

    /// Creates a consumer and subscribes it to `publisher`.
    init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
      publisher.subscribe(receiver)
    }

    deinit { receiver.cancel() }

    /// Cancels the subscription. Later calls of `next` return nil.
    func cancel() { receiver.cancel() }

    /// Requests and returns the next value; nil at the end or when the task is cancelled. Calls must not overlap.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(Failure) -> Input? {
      let cell = OneShot<Result<Input?, Failure>>()
      receiver.take(into: cell)
      let result = await withTaskCancellationHandler {
        await cell.value
      } onCancel: {
        receiver.cancel()
      }
      return try result.get()
    }

    private final class Receiver: Subscriber, Sendable {
      private struct State {
        var upstream: Upstream?
        /// The demand before the subscription arrived.
        var demand = Subscribers.Demand.none
        /// Values without demand, from publishers that send more than was requested.
        var early: [Input] = []
        var taker: OneShot<Result<Input?, Failure>>?
        var ending: Result<Void, Failure>?
      }

      /// Unchecked: the lock of `state` protects the subscription, because it selects the caller that uses it. Publishers must
      /// accept demand and cancellation on any thread.
      private struct Upstream: @unchecked Sendable {
        let subscription: any Subscription
      }

      private enum Step {
        case settle(Result<Input?, Failure>)
        case request(Upstream)
        case wait
      }

      private let state = Mutex(State())

      func take(into cell: OneShot<Result<Input?, Failure>>) {
        let step = state.withLock { state -> Step in
          if !state.early.isEmpty { return .settle(.success(state.early.removeFirst())) }
          if let ending = state.ending {
            // An error is returned once. After it, the source is at its end.
            state.ending = .success(())
            return .settle(ending.map { nil })
          }
          state.taker = cell
          if let upstream = state.upstream { return .request(upstream) }
          state.demand += 1
          return .wait
        }
        switch step {
        case .settle(let result): cell.settle(result)
        case .request(let upstream): upstream.subscription.request(.max(1))
        case .wait: break
        }
      }

      func cancel() {
        let (upstream, taker) = state.withLock { state in
          defer { (state.upstream, state.taker) = (nil, nil) }
          state.ending = .success(())
          state.early = []
          return (state.upstream, state.taker)
        }
        upstream?.subscription.cancel()
        taker?.settle(.success(nil))
      }

      func receive(subscription: any Subscription) {
        let upstream = Upstream(subscription: subscription)
        let demand = state.withLock { state -> Subscribers.Demand? in
          guard state.upstream == nil, state.ending == nil else { return nil }
          state.upstream = upstream
          return state.demand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
      }

      func receive(_ input: Input) -> Subscribers.Demand {
        let taker = state.withLock { state -> OneShot<Result<Input?, Failure>>? in
          guard state.ending == nil else { return nil }
          if let taker = state.taker.take() { return taker }
          state.early.append(input)
          return nil
        }
        taker?.settle(.success(input))
        return .none
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        let ending: Result<Void, Failure> =
          switch completion {
          case .finished: .success(())
          case .failure(let error): .failure(error)
          }
        let taker = state.withLock { state -> OneShot<Result<Input?, Failure>>? in
          guard state.ending == nil else { return nil }
          state.upstream = nil
          let taker = state.taker.take()
          state.ending = taker == nil ? ending : .success(())
          return taker
        }
        taker?.settle(ending.map { nil })
      }
    }
  }
#endif
