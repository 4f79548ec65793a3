internal import Cellophane
internal import Synchronization

/// A transport that keeps a ``TransferLog`` of what goes through it; the same measure for every loader.
final class RecordingTransport: Transport {
  private struct State {
    var log = TransferLog()
    var bodies: [Int: ArrivingBody] = [:]
  }

  private let transport: any Transport
  private let state = Mutex(State())
  private let events: EventLog?

  /// Records what goes through `transport`, also to `events`.
  init(_ transport: any Transport, events: EventLog? = nil) {
    self.transport = transport
    self.events = events
  }

  /// The log, with the bytes that running transfers have received so far.
  var log: TransferLog {
    state.withLock { state in
      var log = state.log
      for (number, body) in state.bodies { log.note(body.count, of: number) }
      return log
    }
  }

  /// How many exchanges are in the transport, given up or not.
  var inside: Int { state.withLock { $0.bodies.count } }

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
        events?.note(.transferBegan, UInt64(number), EventLog.hash(request.url))
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
        guard let number = call.number else { return }
        state.log.end(number, outcome, bytes: request.body.count)
        events?.note(
          .transferEnded, UInt64(number), EventLog.hash(outcome.rawValue), UInt64(request.body.count))
      }
    }
  }

  private func leave(_ call: Call) {
    guard let number = call.state.withLock({ $0.number }) else { return }
    state.withLock { $0.bodies[number] = nil }
  }
}
