internal import Cellophane
internal import Synchronization

/// A transport that reports its exchanges to the observers of a run, in the same way for every loader.
final class RecordingTransport: Transport {
  private struct State {
    var begun = 0
    var bodies: [Int: StreamingBody] = [:]
  }

  private let transport: any Transport
  private let state = Mutex(State())
  private let observers: RunObservers

  /// Creates a transport that forwards to `transport` and reports to `observers`.
  init(_ transport: any Transport, observers: RunObservers) {
    self.transport = transport
    self.observers = observers
  }

  /// Reports the number of bytes that running transfers received so far.
  func noteProgress() {
    state.withLock { state in
      for (number, body) in state.bodies.sorted(by: { $0.key < $1.key }) {
        observers.note(.transferProgressed(number, bytes: body.count))
      }
    }
  }

  /// The number of exchanges in the transport, including cancelled ones.
  var openExchanges: Int { state.withLock { $0.bodies.count } }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    let call = Call()
    let result: Result<TransportResponse, LoadError> = await withTaskCancellationHandler {
      guard begin(call, request) else { return .failure(.cancelled) }
      do throws(LoadError) { return .success(try await transport.exchange(request)) } catch {
        return .failure(error)
      }
    } onCancel: {
      // The exchange ends here for the loader, which may request the same URL again while the connection
      // closes.
      end(call, request, .cancelled)
    }
    let outcome: TransferOutcome =
      switch result {
      case .success(let response): response.outcome
      case .failure(let error): error.kind == .cancelled ? .cancelled : .failed
      }
    end(call, request, outcome)
    close(call, request)
    return try result.get()
  }

  /// An exchange. `number` is nil before it begins, and stays nil if it is cancelled before.
  private final class Call: Sendable {
    struct State {
      var number: Int?
      var hasEnded = false
    }

    let state = Mutex(State())
  }

  private func begin(_ call: Call, _ request: TransportRequest) -> Bool {
    state.withLock { state in
      call.state.withLock { call in
        if call.hasEnded { return false }
        let number = state.begun
        state.begun += 1
        observers.note(.transferBegan(number, url: request.url))
        state.bodies[number] = request.body
        request.body.observeSent { [observers] connection in
          observers.note(.transferSent(number, over: connection))
        }
        request.body.observeHead { [observers] in observers.note(.transferAnswered(number)) }
        call.number = number
        return true
      }
    }
  }

  private func end(_ call: Call, _ request: TransportRequest, _ outcome: TransferOutcome) {
    state.withLock { _ in
      call.state.withLock { call in
        guard !call.hasEnded else { return }
        call.hasEnded = true
        guard let number = call.number else { return }
        observers.note(.transferEnded(number, outcome, bytes: request.body.count))
      }
    }
  }

  private func close(_ call: Call, _ request: TransportRequest) {
    guard let number = call.state.withLock({ $0.number }) else { return }
    state.withLock { state in
      observers.note(.transferClosed(number, bytes: request.body.count))
      state.bodies[number] = nil
    }
  }
}

extension TransportResponse {
  /// The outcome of the transfer.
  fileprivate var outcome: TransferOutcome {
    switch status {
    // The header of a partial response contains the size of the complete file (RFC 9110, section 14.4).
    case 206: .completed(size: headers["content-range"]?.split(separator: "/").last.flatMap { Int($0) })
    case 200..<300: .completed(size: body.count)
    // The client's copy is still valid.
    case 304: .completed(size: nil)
    default: .failed
    }
  }
}
