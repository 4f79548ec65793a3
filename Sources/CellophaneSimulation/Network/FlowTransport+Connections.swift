internal import Cellophane
internal import Synchronization

/// Connections for exchanges, from the queue that the real transport uses.
extension FlowTransport {
  /// Returns a connection for `request`, and whether it is new.
  ///
  /// - Throws: A timeout if `deadline` or the limit for handshakes passes; ``LoadError/cancelled``.
  func connection(
    for request: TransportRequest, by deadline: Int64
  ) async throws(LoadError) -> (ConnectionPool.Assignment, isNew: Bool) {
    let result = OneShot<LinkState.ConnectionOutcome>()
    let exchange = state.withLock { state in
      defer { processConnectionEvents(&state) }
      return state.request(
        request.url.urlOrigin, result, handshakeTimeout: request.limits.connect.wholeNanoseconds, at: now)
    }
    // An exchange leaves the queue at its deadline, as in the real transport; otherwise the queue of a
    // stalled link grows without limit.
    let timer = result.isSettled ? nil : schedule(at: deadline) { Self.timeOut(exchange, &$0) }
    defer { timer?.cancel() }
    let outcome = await withTaskCancellationHandler {
      await result.value
    } onCancel: {
      if result.settle(.cancelled) { cancelWait(of: exchange) }
    }
    switch outcome {
    case .assigned(let assignment, let isNew): return (assignment, isNew)
    case .cancelled: throw .cancelled
    case .timedOut: throw .timedOut(request)
    }
  }

  /// Processes the events of the connection pool.
  func processConnectionEvents(_ state: inout LinkState) {
    while let event = state.connections.nextEvent() {
      switch event {
      case .assigned(let exchange, let assignment): state.assign(exchange, assignment, at: now)
      case .connects(let exchange, let assignment):
        let deadline = state.beginWaiting(exchange, at: now)
        // The handshakes end at that time even if the exchange is cancelled before.
        schedule(at: min(assignment.ready, deadline)) { [self] state in
          let hasSucceeded = assignment.ready <= deadline
          let failed = state.connections.endHandshake(
            of: assignment.connection, hasSucceeded: hasSucceeded, at: now)
          if let failed { state.endWaiting(failed)?.settle(.timedOut) }
        }
      case .waits(let exchange):
        let deadline = state.beginWaiting(exchange, at: now)
        let end = now + ConnectionQueue<Int>.maxWait.wholeNanoseconds
        state.waiting[exchange]?.timer = schedule(at: min(end, deadline)) { [self] state in
          // The exchange may have got a connection at the same time.
          guard state.waiting[exchange]?.timer != nil else { return }
          if end < deadline { return state.connections.connectSeparately(exchange, at: now) }
          Self.timeOut(exchange, &state)
        }
      }
    }
  }

  /// Ends the wait of an exchange with a timeout.
  private static func timeOut(_ exchange: Int, _ state: inout LinkState) {
    guard let result = state.endWaiting(exchange) else { return }
    state.connections.cancel(exchange)
    result.settle(.timedOut)
  }

  private func cancelWait(of exchange: Int) {
    state.withLock { state in
      _ = state.endWaiting(exchange)
      state.connections.cancel(exchange)
      processConnectionEvents(&state)
    }
  }

  /// Applies `change` to the state at `time`.
  @discardableResult
  private func schedule(
    at time: Int64, _ change: @escaping @Sendable (inout LinkState) -> Void
  ) -> Task<Void, Never> {
    let pause = Duration.nanoseconds(time - now)
    return timeline.spawn { [self] in
      guard (try? await timeline.sleep(for: pause)) != nil else { return }
      state.withLock { state in
        state.updateDelay(at: now)
        change(&state)
        processConnectionEvents(&state)
      }
    }
  }
}
