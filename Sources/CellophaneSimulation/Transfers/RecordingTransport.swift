internal import Cellophane
internal import Synchronization

/// A transport that keeps a ``TransferLog`` of what goes through it; the same measure for every loader.
final class RecordingTransport: Transport {
  private struct State {
    var log = TransferLog()
    var bodies: [Int: ArrivingBody] = [:]
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let transport: any Transport
  private let state = Mutex(State())

  /// Records what goes through `transport`.
  init(_ transport: any Transport) { self.transport = transport }

  /// The log, with the bytes that running transfers have received so far.
  var log: TransferLog {
    state.withLock { state in
      var log = state.log
      for (number, body) in state.bodies { log.note(body.count, of: number) }
      return log
    }
  }

  /// Waits until nothing is in the transport any more.
  func idle() async {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.bodies.isEmpty { return true }
        state.waiters.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let call = Call()
    let result: Result<TransportResponse, LoadError> = await withTaskCancellationHandler {
      guard begin(call, request) else { return .failure(.cancelled) }
      do throws(LoadError) { return .success(try await transport.exchange(request)) } catch {
        return .failure(error)
      }
    } onCancel: {
      // Over for the loader, which may ask for the same URL again at once, though the connection still closes.
      end(call, request, .cancelled)
    }
    let outcome: TransferLog.Outcome =
      switch result {
      case .success(let response): (200..<300).contains(response.status) ? .completed : .failed
      case .failure(let error): error.kind == .cancelled ? .cancelled : .failed
      }
    end(call, request, outcome)
    leave(call)
    return try result.get()
  }

  /// One exchange. `number` is nil until it has begun; one that is over before never does.
  private final class Call: Sendable {
    struct State {
      var number: Int?
      var isOver = false
    }

    let state = Mutex(State())
  }

  private func begin(_ call: Call, _ request: TransportRequest) -> Bool {
    state.withLock { state in
      call.state.withLock { call in
        if call.isOver { return false }
        let number = state.log.begin(request.url)
        state.bodies[number] = request.body
        call.number = number
        return true
      }
    }
  }

  private func end(_ call: Call, _ request: TransportRequest, _ outcome: TransferLog.Outcome) {
    state.withLock { state in
      call.state.withLock { call in
        call.isOver = true
        if let number = call.number { state.log.end(number, outcome, bytes: request.body.count) }
      }
    }
  }

  private func leave(_ call: Call) {
    guard let number = call.state.withLock({ $0.number }) else { return }
    let waiters = state.withLock { state in
      state.bodies[number] = nil
      guard state.bodies.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
