internal import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Lines of a file or of standard input, read as they are asked for, so that a list of any length takes no
/// memory and a pipe is answered as it speaks.
///
/// Reading blocks on a queue of its own: a slow pipe must not hold up the threads on which results end.
final class LineReader: Sendable {
  private struct State {
    var splitter = LineSplitter()
    // The next line last.
    var lines: [LineSplitter.Line] = []
    var isAtEnd = false
    var error: Int32 = 0
  }

  // 64 KB: what a pipe holds, and some hundred lines of a file.
  private static let chunk = 64 << 10

  private let path: String
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "cellophane.lines")
  private let state = Mutex(State())

  /// Opens `path`; `-` is standard input.
  init(_ path: String) throws(LoadError) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.error(errno, path) }
  }

  deinit {
    if descriptor != STDIN_FILENO { Platform.close(descriptor) }
  }

  /// The next line; nil at the end, after an error, or when the task is cancelled.
  func next() async -> LineSplitter.Line? {
    // Fast path
    if let line = state.withLock({ $0.lines.popLast() }) { return line }
    // Slow path
    let cell = OneShot<LineSplitter.Line?>()
    queue.async { [self] in cell.settle(readOne()) }
    return await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(nil)
    }
  }

  /// - Throws: the error that ended the reading, when one did.
  func check() throws(LoadError) {
    let error = state.withLock { $0.error }
    if error != 0 { throw Self.error(error, path) }
  }

  /// On the queue, so that one reads at a time.
  private func readOne() -> LineSplitter.Line? {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while true {
      let (line, isAtEnd) = state.withLock { ($0.lines.popLast(), $0.isAtEnd) }
      if line != nil || isAtEnd { return line }
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      let error = errno
      if count < 0 && error == EINTR { continue }
      state.withLock { state in
        if count > 0 {
          state.lines = state.splitter.split(buffer[..<count]).reversed()
        } else {
          state.isAtEnd = true
          state.error = count < 0 ? error : 0
          if let last = state.splitter.end() { state.lines = [last] }
        }
      }
    }
  }

  private static func error(_ number: Int32, _ path: String) -> LoadError {
    let reason =
      switch number {
      case ENOENT: "there is no such file"
      case EISDIR: "it is a directory"
      case EACCES: "permission denied"
      default: "the system refused (\(number))"
      }
    return LoadError(.io, "cannot read \(path): \(reason)")
  }
}
