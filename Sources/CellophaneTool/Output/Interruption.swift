internal import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Turns Ctrl-C into the cancellation of a task, so that what runs ends cleanly. A second one ends at once. So do a
/// request to terminate and the end of the terminal, unless that was to be passed over from the start.
final class Interruption: Sendable {
  private let count = Atomic<Int>(0)
  private let atOnce: @Sendable () -> Void

  /// - Parameter atOnce: What is done when a second signal ends the process before it has come to its end.
  init(atOnce: @escaping @Sendable () -> Void = {}) { self.atOnce = atOnce }

  /// True after the first Ctrl-C.
  var hasHappened: Bool { count.load(ordering: .relaxed) > 0 }

  /// Runs `body`; the first signal cancels it. It begins once signals are listened to,
  /// so that none is lost.
  ///
  /// - Throws: what `body` throws.
  func cancels<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var signals = [SIGINT, SIGTERM]
    if !Platform.passesOver(SIGHUP) { signals.append(SIGHUP) }
    let listens = signals.map { ($0, OneShot<Void>()) }
    // The tool's one task, outside every loader: what it cancels is what the user started.
    let task = Task {
      for (_, registration) in listens { await registration.value }
      return try await body()
    }
    let sources = listens.map { number, registration in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setRegistrationHandler { registration.settle(()) }
      source.setEventHandler { [self] in
        if count.wrappingAdd(1, ordering: .relaxed).newValue > 1 {
          atOnce()
          Platform.exit(.interrupted)
        }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for (number, _) in listens { signal(number, SIG_DFL) }
    }
    return try await task.value
  }
}
