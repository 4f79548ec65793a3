internal import Cellophane
internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The signals for a program that draws on a terminal.
enum ScreenSignal: Sendable, CaseIterable {
  /// The size of the terminal has changed.
  case resized
  /// The user suspends the program with Ctrl-Z.
  case stop
  /// The program resumes.
  case continued

  private var number: Int32 {
    switch self {
    case .resized: SIGWINCH
    case .stop: SIGTSTP
    case .continued: SIGCONT
    }
  }

  /// Returns a stream of the signals.
  static func all() -> AsyncStream<ScreenSignal> {
    let (stream, continuation) = AsyncStream.makeStream(of: ScreenSignal.self)
    for signal in allCases {
      // With the default action the process would stop before it restores the terminal.
      if signal == .stop { Platform.handle(SIGTSTP, by: SIG_IGN) }
      let source = DispatchSource.makeSignalSource(signal: signal.number, queue: .global())
      source.setEventHandler {
        if case .terminated = continuation.yield(signal) { source.cancel() }
      }
      source.resume()
    }
    return stream
  }

  /// Stops the process, as Ctrl-Z does; returns when it resumes, or at once if no process could resume it.
  static func stopHere() {
    // On this thread, so that nothing runs before the stop. The stream continues afterwards.
    Platform.withDefaultAction(of: SIGTSTP) {
      Platform.admitting(SIGTSTP) { _ = pthread_kill(pthread_self(), SIGTSTP) }
    }
  }
}
