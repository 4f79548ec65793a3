internal import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Cancels a task after Ctrl-C, so that it ends cleanly. A second Ctrl-C ends the process at once.
///
/// SIGTERM and SIGHUP have the same effect, unless the process was started with SIGHUP ignored.
final class Interruption: Sendable {
  private static let isTermination = Atomic(false)

  /// The exit code of an interrupted process, by its first signal.
  static var exit: ExitStatus { isTermination.load(ordering: .relaxed) ? .terminated : .interrupted }

  private let count = Atomic<Int>(0)
  private let atOnce: @Sendable () -> Void

  /// - Parameter atOnce: Runs before a second signal ends the process.
  init(atOnce: @escaping @Sendable () -> Void = {}) { self.atOnce = atOnce }

  /// True after the first Ctrl-C.
  var hasHappened: Bool { count.load(ordering: .relaxed) > 0 }

  /// Runs `body`, which the first signal cancels. It starts after the signal handlers are registered, so no signal is
  /// lost.
  ///
  /// - Throws: The error of `body`.
  func runCancellable<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    var signals = [SIGINT, SIGTERM]
    if !Platform.isIgnored(SIGHUP) { signals.append(SIGHUP) }
    let handlers = signals.map { ($0, OneShot<Void>()) }
    // The only unstructured task of the tool, outside of the loaders: its cancellation cancels the command of the user.
    let task = Task {
      for (_, registration) in handlers { await registration.value }
      return try await body()
    }
    let sources = handlers.map { number, registration in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setRegistrationHandler { registration.settle(()) }
      source.setEventHandler { [self] in
        if count.wrappingAdd(1, ordering: .relaxed).newValue > 1 {
          atOnce()
          Platform.exit(Self.exit)
        }
        if number == SIGTERM { Self.isTermination.store(true, ordering: .relaxed) }
        task.cancel()
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for (number, _) in handlers { signal(number, SIG_DFL) }
    }
    return try await task.value
  }
}
