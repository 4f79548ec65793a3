#if Publishers
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif
  internal import Synchronization

  /// A subscriber that records its signals and the violations of Combine's rules. The subscription comes first,
  /// values need demand, signals do not overlap, and no signal follows the end.
  final class Probe<Input: Sendable, Failure: Error>: Subscriber, Sendable {
    private struct State {
      var log: [String] = []
      var faults: [String] = []
      var subscription: Held?
      var demand = Subscribers.Demand.none
      var isInside = false
      var hasEnded = false
    }

    struct Held: @unchecked Sendable {
      let subscription: any Subscription
    }

    private let state = Mutex(State())
    private let first: Subscribers.Demand
    private let mayNest: Bool
    private let react: @Sendable (Probe, Input) -> Int

    /// Creates a subscriber with the initial demand `first`. After each value, `react` returns the further demand.
    /// `mayNest` permits signals within `request`, as Combine's own publishers send them.
    init(
      demand first: Subscribers.Demand = .none, mayNest: Bool = false,
      _ react: @escaping @Sendable (Probe, Input) -> Int = { _, _ in 0 }
    ) {
      self.mayNest = mayNest
      self.first = first
      self.react = react
    }

    var log: [String] { state.withLock { $0.log } }
    var faults: [String] { state.withLock { $0.faults } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func request(_ demand: Subscribers.Demand) {
      let held = state.withLock { state in
        state.demand += demand
        return state.subscription
      }
      held?.subscription.request(demand)
    }

    func cancel() { state.withLock { $0.subscription.take() }?.subscription.cancel() }

    func receive(subscription: any Subscription) {
      let held = Held(subscription: subscription)
      enter { state in
        if state.subscription != nil { state.faults.append("a second subscription") }
        state.subscription = held
      }
      if first > .none { request(first) }
      leave()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      enter { state in
        if state.demand == .none { state.faults.append("\(input) arrived without demand") }
        if state.demand > .none { state.demand -= 1 }
        state.log.append("\(input)")
      }
      let more = Subscribers.Demand.max(react(self, input))
      state.withLock { $0.demand += more }
      leave()
      return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      enter { state in
        state.hasEnded = true
        switch completion {
        case .finished: state.log.append("finished")
        case .failure(let error): state.log.append("\(error)")
        }
      }
      leave()
    }

    private func enter(_ note: (inout State) -> Void) {
      state.withLock { state in
        if state.isInside, !mayNest { state.faults.append("two signals at once") }
        if state.hasEnded { state.faults.append("a signal after the end") }
        state.isInside = true
        note(&state)
      }
    }

    private func leave() { state.withLock { $0.isInside = false } }
  }
#endif
