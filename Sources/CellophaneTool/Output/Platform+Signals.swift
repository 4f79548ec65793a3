internal import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Signals.
extension Platform {
  /// Makes a write to a pipe without a reader fail, instead of ending the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Returns true if a signal is ignored, as `nohup` does with SIGHUP.
  static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = unsafe action.__sigaction_handler.sa_handler
    #else
      let handler = unsafe action.__sigaction_u.__sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
