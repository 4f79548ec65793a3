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
    var failure: String?
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
    descriptor = path == "-" ? STDIN_FILENO : try Platform.openForReading(path)
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

  /// True when `path` is the file that is read.
  func reads(fileAt path: String) -> Bool { Platform.isFile(descriptor, at: path) }

  /// - Throws: the error that ended the reading, when one did.
  func check() throws(LoadError) {
    if let failure = state.withLock({ $0.failure }) {
      throw LoadError(.io, "cannot read \(path): \(failure)")
    }
  }

  /// On the queue, so that one reads at a time.
  private func readOne() -> LineSplitter.Line? {
    while true {
      let (line, isAtEnd) = state.withLock { ($0.lines.popLast(), $0.isAtEnd) }
      if line != nil || isAtEnd { return line }
      let bytes = Platform.read(descriptor, atMost: Self.chunk)
      let error = errno
      state.withLock { state in
        if let bytes, !bytes.isEmpty, !state.splitter.isEndless {
          state.lines = state.splitter.split(bytes[...]).reversed()
        } else {
          state.isAtEnd = true
          if bytes == nil { state.failure = Platform.reason(error) }
          if state.splitter.isEndless { state.failure = "it is no list, a line does not end" }
          if let last = state.splitter.end() { state.lines = [last] }
        }
      }
    }
  }
}
