internal import Cellophane
internal import Synchronization

/// How exchanges get connections: as those of the real transport do, by the same queue.
extension FlowTransport {
  /// A place on a connection, when there is one before `deadline`, and whether nothing went over it before.
  func place(
    _ request: TransportRequest, by deadline: Int64
  ) async throws(LoadError) -> (ConnectionPool.Place, isNew: Bool) {
    let turn = OneShot<LineState.Turn>()
    let exchange = state.withLock { state in
      defer { followUp(&state) }
      return state.ask(turn, patience: request.limits.connect.wholeNanoseconds, at: now)
    }
    // Whoever stands in a line that does not move leaves it, as in the real transport; otherwise it grows for ever.
    let alarm = turn.isSettled ? nil : at(deadline) { Self.expire(exchange, &$0) }
    defer { alarm?.cancel() }
    let end = await withTaskCancellationHandler {
      await turn.value
    } onCancel: {
      if turn.settle(.cancelled) { leave(exchange) }
    }
    switch end {
    case .place(let place, let isNew): return (place, isNew)
    case .cancelled: throw .cancelled
    case .late: throw .late(request)
    }
  }

  /// Does what follows of a change of the connections.
  func followUp(_ state: inout LineState) {
    while let event = state.connections.nextEvent() {
      switch event {
      case .placed(let exchange, let place): state.place(exchange, place, at: now)
      case .connects(let exchange, let place):
        let deadline = state.beginWaiting(exchange, at: now)
        // Whether or not the exchange is there by then.
        at(min(place.ready, deadline)) { [self] state in
          let isThere = place.ready <= deadline
          let failed = state.connections.end(place.connection, isThere: isThere, at: now)
          if let failed { state.endWaiting(failed)?.settle(.late) }
        }
      case .waits(let exchange):
        let deadline = state.beginWaiting(exchange, at: now)
        let end = now + ConnectionQueue<Int>.patience.wholeNanoseconds
        state.waiting[exchange]?.alarm = at(min(end, deadline)) { [self] state in
          // Another may have made room in this very moment.
          guard state.waiting[exchange]?.alarm != nil else { return }
          if end < deadline { return state.connections.loseHope(exchange, at: now) }
          Self.expire(exchange, &state)
        }
      }
    }
  }

  /// Ends the wait of an exchange whose time is over.
  private static func expire(_ exchange: Int, _ state: inout LineState) {
    guard let turn = state.endWaiting(exchange) else { return }
    state.connections.leave(exchange)
    turn.settle(.late)
  }

  private func leave(_ exchange: Int) {
    state.withLock { state in
      _ = state.endWaiting(exchange)
      state.connections.leave(exchange)
      followUp(&state)
    }
  }

  /// Changes the state at a time.
  @discardableResult
  private func at(
    _ time: Int64, _ change: @escaping @Sendable (inout LineState) -> Void
  ) -> Task<Void, Never> {
    let pause = Duration.nanoseconds(time - now)
    return timeline.spawn { [self] in
      guard (try? await timeline.sleep(for: pause)) != nil else { return }
      state.withLock { state in
        change(&state)
        followUp(&state)
      }
    }
  }
}
