internal import Cellophane
internal import Synchronization

/// How time passes on the line: bytes are handed over whenever anything changes on it, which an alarm tells.
extension FlowTransport {
  /// The most exchanges that were going on at once.
  var mostExchanges: Int { state.withLock { $0.connections.mostBusy } }

  /// How many connections were opened.
  var connectionsOpened: Int { state.withLock { $0.connections.opened } }

  /// The bytes of bodies that came down the line after their exchange was given up.
  var receivedAfterCancel: Int { state.withLock { $0.network.receivedAfterCancel } }

  /// Hands over what has arrived of bodies that are still on their way, which otherwise happens when anything changes
  /// on the line: when a body begins or ends, or a window is spent or grows.
  func catchUp() { state.withLock { deliver(&$0) } }

  func deliver(_ state: inout LineState) {
    state.network.advance(to: now)
    for index in state.exchanges.indices {
      state.exchanges[index].deliver(state.network.received(of: state.exchanges[index].stream) ?? 0)
    }
  }

  /// Wakes when anything changes on the line or the next deadline passes.
  func setAlarm(_ state: inout LineState) {
    var due = state.network.next
    let whole = state.network.whole
    for exchange in state.exchanges where !exchange.cell.isSettled {
      // It may be whole already, when something else happened in the moment of its end.
      due = min(due ?? .max, whole.contains(exchange.stream) ? now : exchange.deadline)
    }
    for drained in state.draining where whole.contains(drained.stream) { due = now }
    guard due != state.alarm?.due else { return }
    state.alarm?.task.cancel()
    state.alarm = due.map { due in
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
    let over = state.withLock { state -> [(OneShot<LineState.Ending>, LineState.Ending)] in
      // An alarm that was replaced after it had gone off.
      guard state.alarm?.due == due else { return [] }
      state.alarm = nil
      deliver(&state)
      state.endDraining(at: now)
      followUp(&state)
      let whole = state.network.whole
      let over = state.exchanges.compactMap { exchange -> (OneShot<LineState.Ending>, LineState.Ending)? in
        if exchange.cell.isSettled { return nil }
        if whole.contains(exchange.stream) { return (exchange.cell, .whole) }
        return exchange.deadline <= due ? (exchange.cell, .late) : nil
      }
      if over.isEmpty { setAlarm(&state) }
      return over
    }
    // Whoever ends sets the next alarm when he has left the network.
    for (cell, ending) in over { cell.settle(ending) }
  }
}
