internal import Cellophane
internal import Synchronization

/// The passage of time on the link. A timer delivers received data at each event of the network.
extension FlowTransport {
  /// The peak number of concurrent exchanges.
  var peakExchanges: Int { state.withLock { $0.connections.peakExchanges } }

  /// The number of connections opened so far.
  var connectionsOpened: Int { state.withLock { $0.connections.opened } }

  /// The number of bytes that arrived after their exchange was cancelled.
  var receivedAfterCancel: Int { state.withLock { $0.network.receivedAfterCancel } }

  /// Delivers the data that arrived since the last event. Otherwise data is delivered at events only: a body
  /// begins or ends, or a window is used up or grows.
  func catchUp() { state.withLock { deliver(&$0) } }

  func deliver(_ state: inout LinkState) {
    state.network.advance(to: now)
    for index in state.exchanges.indices where state.network.hasBegun(state.exchanges[index].stream) {
      state.exchanges[index].begin(at: now)
      state.exchanges[index].deliver(state.network.received(of: state.exchanges[index].stream) ?? 0)
    }
  }

  /// Sets the timer for the next event of the network or the next deadline.
  func scheduleTimer(_ state: inout LinkState) {
    var due = state.network.next
    let completed = state.network.completed
    for exchange in state.exchanges where !exchange.result.isSettled {
      // A body may be complete already, if another event happened at the time of its end.
      due = min(due ?? .max, completed.contains(exchange.stream) ? now : exchange.deadline)
    }
    for drained in state.draining where completed.contains(drained.stream) { due = now }
    guard due != state.timer?.due else { return }
    state.timer?.task.cancel()
    state.timer = due.map { due in
      let task = timeline.spawn { [timeline] in
        do {
          try await timeline.sleep(for: .nanoseconds(due) - timeline.now)
          self.wake(due)
        } catch {}
      }
      return (due, task)
    }
  }

  private func wake(_ due: Int64) {
    let settled = state.withLock { state -> [(OneShot<LinkState.Outcome>, LinkState.Outcome)] in
      // The timer was replaced after it fired.
      guard state.timer?.due == due else { return [] }
      state.timer = nil
      deliver(&state)
      state.endDraining(at: now)
      processConnectionEvents(&state)
      let completed = state.network.completed
      let settled = state.exchanges.compactMap {
        exchange -> (OneShot<LinkState.Outcome>, LinkState.Outcome)? in
        if exchange.result.isSettled { return nil }
        if completed.contains(exchange.stream) { return (exchange.result, .complete) }
        return exchange.deadline <= due ? (exchange.result, .timedOut) : nil
      }
      if settled.isEmpty { scheduleTimer(&state) }
      return settled
    }
    // Each settled exchange sets the timer after it has left the network.
    for (result, outcome) in settled { result.settle(outcome) }
  }
}
