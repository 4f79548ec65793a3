#if Publishers
  internal import Cellophane
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Synchronization

  /// The one end at which the values of a publisher are taken out, each of which is asked for. Cancels the subscription when it
  /// goes.
  final class ElementSource<Input: Sendable, Failure: Error>: Sendable {
    private let receiver = Receiver()

    /// Subscribes to `publisher`.
    init<P: Publisher>(_ publisher: P) where P.Output == Input, P.Failure == Failure {
      publisher.subscribe(receiver)
    }

    deinit { receiver.cancel() }

    /// Cancels the subscription; from now on there is nothing more.
    func cancel() { receiver.cancel() }

    /// The next value, of which one is asked for; nil once there is no more, or when the task is cancelled. One at a time.
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
        /// Asked for before there was a subscription.
        var demand = Subscribers.Demand.none
        /// What came before anyone took it: from publishers that send more than was asked for.
        var early: [Input] = []
        var taker: OneShot<Result<Input?, Failure>>?
        var ending: Result<Void, Failure>?
      }

      /// Protected by its publisher, which has to let a subscription be asked and cancelled on any thread; who may use it is
      /// decided under the lock of `state`.
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
            // An error comes once; after it there is nothing.
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
