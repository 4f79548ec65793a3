internal import CTerminal
package import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminal as a screen: unbuffered keys, the alternate screen, no cursor.
///
/// ``leave(_:)`` restores the terminal, also when the tool ends by an error or a signal.
package final class Terminal: Sendable {
  /// The source of keys. Frames are written to `output`.
  private let input: Int32
  private let output: Int32
  /// The original mode of the terminal; nil while it has that mode.
  private let before = Mutex<termios?>(nil)
  /// The same for ``abandon()``, under a lock that is never held during a write to the terminal.
  private let entered = Mutex<termios?>(nil)

  /// Opens the terminal on standard output. Keys come from standard input, or from `/dev/tty` if standard input is not a
  /// terminal.
  ///
  /// - Throws: ``LoadError/Kind/io`` without a terminal that can be drawn on.
  package init() throws(LoadError) {
    guard Platform.isTerminal(STDOUT_FILENO) else {
      throw LoadError(
        .io,
        isatty(STDOUT_FILENO) == 1
          ? "browse cannot draw on this terminal: TERM is dumb; use another terminal, or prefetch or fetch"
          : "browse needs a terminal, but standard output is not one; use prefetch or fetch")
    }
    output = STDOUT_FILENO
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : try Platform.openForReading("/dev/tty")
  }

  /// The size of the terminal; 80 by 24 if the terminal does not report it.
  var size: TerminalSize {
    let size = terminal_measure(output)
    let (columns, lines) = (Int(size.columns), Int(size.lines))
    guard columns > 0, lines > 0 else { return TerminalSize(columns: 80, lines: 24) }
    let cell = PixelSize(width: Int(size.width) / columns, height: Int(size.height) / lines)
    // From the smallest readable font to that of a wall display. Other sizes are errors of the terminal.
    let isLikely = (4...100).contains(cell.width) && (4...200).contains(cell.height)
    return TerminalSize(columns: columns, lines: lines, cell: isLikely ? cell : nil)
  }

  /// Prepares the terminal for drawing. A process in the background first stops, as with other programs, until it is in
  /// the foreground.
  ///
  /// - Parameter isOver: Returns true if nothing will be drawn; the terminal then stays as it is.
  func enter(unless isOver: () -> Bool) {
    while isInBackground, !isOver() {
      // A stopped process also resumes in order to end. 50 ms: time for another thread to notice the end, before this
      // one stops the process again.
      usleep(50_000)
      if isOver() || !isInBackground { break }
      Platform.admitting(SIGTTOU) { _ = pthread_kill(pthread_self(), SIGTTOU) }
    }
    if isOver() { return }
    before.withLock { before in
      var now = termios()
      guard unsafe tcgetattr(input, &now) == 0 else { return }
      if before == nil {
        before = now
        entered.withLock { [now] in $0 = now }
        unsafe terminal_guard(input, output, Escape.leave)
      }
      // Keys without buffering and echo. Ctrl-C and Ctrl-Z stay signals. Ctrl-\ would end without restoring the screen.
      now.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
      // Ctrl-Z must not discard output: Linux does not wake a write that waits for the space that it frees.
      now.c_lflag |= tcflag_t(NOFLSH)
      now.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR)
      unsafe withUnsafeMutableBytes(of: &now.c_cc) { codes in
        unsafe codes[Int(VMIN)] = 1
        unsafe codes[Int(VTIME)] = 0
        unsafe codes[Int(VQUIT)] = Self.disabled
      }
      _ = unsafe tcsetattr(input, TCSANOW, &now)
    }
    write(Escape.enter)
  }

  private var isInBackground: Bool {
    let foreground = tcgetpgrp(input)
    return foreground >= 0 && foreground != getpgrp()
  }

  /// The code for a disabled key (`_POSIX_VDISABLE`).
  #if canImport(Glibc)
    private static let disabled: cc_t = 0
  #else
    private static let disabled: cc_t = 0xFF
  #endif

  /// Restores the terminal to its state before ``enter(unless:)``.
  ///
  /// - Parameter cleanup: Sequences to send first.
  func leave(_ cleanup: String = "") {
    before.withLock { before in
      guard var original = before else { return }
      terminal_unguard()
      write(cleanup + Escape.leave)
      // Discards unread keys, which are not meant for the shell.
      _ = unsafe tcsetattr(input, TCSAFLUSH, &original)
      before = nil
      entered.withLock { $0 = nil }
    }
  }

  /// Restores the terminal when the process ends at once. It does not wait for a terminal that accepts no output, such as a
  /// stopped one or one with a lost connection.
  package func abandon() {
    guard var original = entered.withLock(\.self) else { return }
    terminal_unguard()
    _ = unsafe tcsetattr(input, TCSANOW, &original)
    // 100 ms: enough for a slow terminal.
    if Platform.wait(for: output, Int16(POLLOUT), milliseconds: 100) { write(Escape.leave) }
  }

  /// Writes `text` in one piece.
  func write(_ text: String) { Platform.write(Array(text.utf8).span, to: output) }

  /// Returns the typed bytes as a stream, which ends with the terminal.
  func typed() -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: .global())
    source.setEventHandler { [input] in
      // Unblocked, because a read in the background has to stop the process.
      let bytes = Platform.admitting(SIGTTIN) { Platform.read(input, atMost: 4_096) } ?? []
      if !bytes.isEmpty, case .enqueued = continuation.yield(bytes) { return }
      continuation.finish()
      source.cancel()
    }
    source.resume()
    return stream
  }
}
