internal import Cellophane
internal import Synchronization

/// A transport that tells the observers of a run what goes through it; the same measure for every loader.
final class RecordingTransport: Transport {
  private struct State {
    var begun = 0
    var bodies: [Int: StreamingBody] = [:]
  }

  private let transport: any Transport
  private let state = Mutex(State())
  private let observers: RunObservers

  /// Tells `observers` what goes through `transport`.
  init(_ transport: any Transport, observers: RunObservers) {
    self.transport = transport
    self.observers = observers
  }

  /// Tells how many bytes running transfers have received so far.
  func noteProgress() {
    state.withLock { state in
      for (number, body) in state.bodies.sorted(by: { $0.key < $1.key }) {
        observers.note(.transferProgressed(number, bytes: body.count))
      }
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
    let outcome: TransferOutcome =
      switch result {
      case .success(let response): response.outcome
      case .failure(let error): error.kind == .cancelled ? .cancelled : .failed
      }
    end(call, request, outcome)
    leave(call, request)
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
        let number = state.begun
        state.begun += 1
        observers.note(.transferBegan(number, url: request.url))
        state.bodies[number] = request.body
        request.body.watchSent { [observers] connection in
          observers.note(.transferSent(number, over: connection))
        }
        request.body.watchHead { [observers] in observers.note(.transferAnswered(number)) }
        call.number = number
        return true
      }
    }
  }

  private func end(_ call: Call, _ request: TransportRequest, _ outcome: TransferOutcome) {
    state.withLock { _ in
      call.state.withLock { call in
        guard !call.isOver else { return }
        call.isOver = true
        guard let number = call.number else { return }
        observers.note(.transferEnded(number, outcome, bytes: request.body.count))
      }
    }
  }

  private func leave(_ call: Call, _ request: TransportRequest) {
    guard let number = call.state.withLock({ $0.number }) else { return }
    state.withLock { state in
      observers.note(.transferLeft(number, bytes: request.body.count))
      state.bodies[number] = nil
    }
  }
}

extension TransportResponse {
  /// What it means for a transfer.
  fileprivate var outcome: TransferOutcome {
    switch status {
    // A part says how large the whole is (RFC 9110, section 14.4).
    case 206: .completed(size: headers["content-range"]?.split(separator: "/").last.flatMap { Int($0) })
    case 200..<300: .completed(size: body.count)
    // What the client has still holds.
    case 304: .completed(size: nil)
    default: .failed
    }
  }
}
