internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Signals.
extension Platform {
  /// Sets the action of a signal: `SIG_IGN` or `SIG_DFL`.
  static func handle(_ number: Int32, by handler: sig_t?) { signal(number, handler) }

  /// Runs `body` with the default action of a signal.
  static func withDefaultAction(of number: Int32, _ body: () -> Void) {
    var standard = sigaction()
    #if canImport(Darwin)
      standard.__sigaction_u.__sa_handler = SIG_DFL
    #else
      unsafe standard.__sigaction_handler.sa_handler = SIG_DFL
    #endif
    var before = sigaction()
    unsafe sigaction(number, &standard, &before)
    body()
    unsafe sigaction(number, &before, nil)
  }

  /// Unblocks a signal while `body` runs; the threads of a pool block signals. The system then acts on the signal
  /// before a call in `body` returns, for example stops the process.
  static func admitting<Value>(_ number: Int32, _ body: () throws -> Value) rethrows -> Value {
    var mask = sigset_t()
    unsafe sigemptyset(&mask)
    unsafe sigaddset(&mask, number)
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }
}
