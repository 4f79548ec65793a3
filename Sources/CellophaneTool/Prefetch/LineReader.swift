internal import Cellophane
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Lines of a file or of standard input, read when they are asked for, so that a list of any length takes
/// no memory and a pipe is answered as it speaks.
///
/// Reading blocks on a queue of its own: a slow pipe must not hold up the threads on which results end.
final class LineReader: Sendable {
  /// A line that is not blank.
  struct Line: Sendable {
    /// From 1.
    let number: Int
    let text: String
  }

  private let queue = DispatchQueue(label: "cellophane.lines")
  private let read = Mutex(0)

  /// Opens `path`; `-` is standard input.
  init(_ path: String) throws(LoadError) {
    guard path != "-" else { return }
    // Standard input becomes the file, so that both are read the same way.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, dup2(descriptor, STDIN_FILENO) >= 0 else {
      throw LoadError(
        .io, "cannot read \(path): \(errno == ENOENT ? "there is no such file" : "error \(errno)")")
    }
    Platform.close(descriptor)
  }

  /// The next line; nil at the end, or when the task is cancelled.
  func next() async -> Line? {
    let cell = OneShot<Line?>()
    queue.async { [self] in cell.settle(readOne()) }
    return await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(nil)
    }
  }

  private func readOne() -> Line? {
    while let line = readLine() {
      let number = read.withLock { number in
        number += 1
        return number
      }
      let text = line.trimmed
      if !text.isEmpty { return Line(number: number, text: String(text)) }
    }
    return nil
  }
}

extension String {
  /// Without white space at its ends, the carriage return of foreign line ends among it.
  fileprivate var trimmed: Substring {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return rest
  }
}
