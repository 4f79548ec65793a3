internal import CTerminal
internal import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminal as a screen: every key at once, the other screen, no cursor. However the tool ends, ``leave()`` gives it back
/// as it was.
final class Terminal: Sendable {
  /// Where keys come from, and where is drawn.
  private let input: Int32
  private let output: Int32
  /// What the terminal was like before; nil while it is so.
  private let before = Mutex<termios?>(nil)
  /// The same for ``abandon()``, under a lock that nobody holds who waits for the terminal.
  private let entered = Mutex<termios?>(nil)

  /// The terminal that standard output is; keys come from standard input or, when that is something else, from
  /// `/dev/tty`.
  ///
  /// - Throws: ``LoadError/Kind/io`` when there is none.
  init() throws(LoadError) {
    guard Output.showsResultsOnTerminal else {
      throw LoadError(
        .io,
        isatty(STDOUT_FILENO) == 1
          ? "TERM is dumb: on such a terminal there is nothing to draw with; try prefetch or fetch"
          : "browse draws on a terminal, and standard output is none; try prefetch or fetch")
    }
    output = STDOUT_FILENO
    input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : try Platform.openForReading("/dev/tty")
  }

  /// How large it is; as the first terminals were, when it does not tell.
  var size: TerminalSize {
    let size = terminal_measure(output)
    let (columns, lines) = (Int(size.columns), Int(size.lines))
    guard columns > 0, lines > 0 else { return TerminalSize(columns: 80, lines: 24) }
    let cell = PixelSize(width: Int(size.width) / columns, height: Int(size.height) / lines)
    // From a font that can be read to one for a wall; others are mistakes.
    let isLikely = (4...100).contains(cell.width) && (4...200).contains(cell.height)
    return TerminalSize(columns: columns, lines: lines, cell: isLikely ? cell : nil)
  }

  /// Makes a screen of it. In the background the process is stopped before, as the system has others stop, until it is in
  /// the foreground.
  ///
  /// - Parameter isOver: Whether there is nothing to draw any more; then the terminal stays as it is.
  func enter(unless isOver: () -> Bool) {
    while isInBackground, !isOver() {
      // Whoever ends a process that has stopped lets it go on for that: 50 ms, time enough for another thread to hear of it.
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
      // Keys as they come, unseen. Ctrl-C and Ctrl-Z stay signals; Ctrl-\ would leave the screen as it is.
      now.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
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

  /// What stands for no key at all (`_POSIX_VDISABLE`).
  #if canImport(Glibc)
    private static let disabled: cc_t = 0
  #else
    private static let disabled: cc_t = 0xFF
  #endif

  /// Gives it back as it was before ``enter()``; does nothing when it is.
  ///
  /// - Parameter farewell: What the terminal is told before.
  func leave(_ farewell: String = "") {
    before.withLock { before in
      guard var was = before else { return }
      terminal_unguard()
      write(farewell + Escape.leave)
      // What was typed meanwhile is for nobody else.
      _ = unsafe tcsetattr(input, TCSAFLUSH, &was)
      before = nil
      entered.withLock { $0 = nil }
    }
  }

  /// The same where the process ends at once: a terminal that takes nothing, as one that was stopped or whose line is dead,
  /// is not waited for.
  func abandon() {
    guard var was = entered.withLock(\.self) else { return }
    terminal_unguard()
    _ = unsafe tcsetattr(input, TCSANOW, &was)
    // 100 ms: time for one that is only slow.
    if Platform.wait(for: output, Int16(POLLOUT), milliseconds: 100) { write(Escape.leave) }
  }

  /// Tells it `text`, in one piece.
  func write(_ text: String) { Output.write(Array(text.utf8).span, to: output) }

  /// What is typed, as bytes; ends when the terminal is gone.
  func typed() -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    let source = DispatchSource.makeReadSource(fileDescriptor: input, queue: .global())
    source.setEventHandler { [input] in
      // In the background, reading stops the process.
      let bytes = Platform.admitting(SIGTTIN) { Platform.read(input, atMost: 4_096) } ?? []
      if !bytes.isEmpty, case .enqueued = continuation.yield(bytes) { return }
      continuation.finish()
      source.cancel()
    }
    source.resume()
    return stream
  }
}
