internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What the system tells a program that draws on a terminal.
enum ScreenSignal: Sendable, CaseIterable {
  /// The terminal has another size.
  case resized
  /// Somebody wants to go back to the shell for a while: Ctrl-Z.
  case stop
  /// It goes on.
  case continued

  private var number: Int32 {
    switch self {
    case .resized: SIGWINCH
    case .stop: SIGTSTP
    case .continued: SIGCONT
    }
  }

  /// Each from now on, as long as somebody listens.
  static func all() -> AsyncStream<ScreenSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ScreenSignal.self)
    for signal in allCases {
      // Else the process would stop before it could give the terminal back.
      if signal == .stop { Platform.handle(SIGTSTP, by: SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: signal.number, queue: .global())
      source.setEventHandler {
        if case .terminated = continuation.yield(signal) { source.cancel() }
      }
      source.resume()
    }
    return stream
  }

  /// Stops the process, as Ctrl-Z would have; returns when it goes on, or at once where nobody could let it go on.
  static func stopHere() {
    // Here, so that it has stopped before anything else is done. Who listens for it does so afterwards, too.
    Platform.withDefaultAction(of: SIGTSTP) {
      Platform.admitting(SIGTSTP) { _ = pthread_kill(pthread_self(), SIGTSTP) }
    }
  }
}
