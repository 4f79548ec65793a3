internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// JSON Lines, one object a result, whole lines only whoever writes at once.
final class ResultFile: Sendable {
  private let descriptor: Int32
  private let path: String
  private let state = Mutex(State())

  private struct State {
    /// The first error, after which nothing more is written.
    var error: Int32 = 0
    /// The bytes of whole lines.
    var length = 0
  }

  /// Opens `path`, replacing what was there; `-` is standard output; nil is no file.
  ///
  /// - Throws: ``LoadError/Kind/io`` when that is not possible; ``LoadError/Kind/invalidRequest`` when it is the
  ///   file that `list` reads.
  init?(_ path: String?, besides list: PrefetchList) throws(LoadError) {
    guard let path else { return nil }
    guard !list.reads(fileAt: path) else {
      throw LoadError(
        .invalidRequest, "the results would replace the list \(path); write them to another file")
    }
    self.path = path
    descriptor =
      path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw LoadError(.io, "cannot write \(path): \(Platform.reason(errno))") }
  }

  /// Whether writing may wait, for as long as somebody does not read.
  var mayWait: Bool { Platform.mayWait(writingTo: descriptor) }

  func write(_ result: BatchResult) {
    let line = result.line
    state.withLock { state in
      guard state.error == 0 else { return }
      state.error = Output.write(line.span, to: descriptor)
      if state.error == 0 { state.length += line.count } else { cut(to: state.length) }
    }
  }

  /// Takes half a line off, where the disk became full within it; what was standard output is not ours to cut.
  private func cut(to length: Int) {
    if descriptor != STDOUT_FILENO { ftruncate(descriptor, off_t(length)) }
  }

  /// False once they cannot be written any more: what is loaded from then on would not be told.
  var isWritable: Bool { state.withLock { $0.error == 0 } }

  /// True once they were written to somebody who has gone, as `head` does: nobody wants more.
  var hasNoReader: Bool { state.withLock { $0.error == EPIPE } }

  func close() throws(LoadError) {
    let error = state.withLock(\.error)
    if descriptor != STDOUT_FILENO { Platform.close(descriptor) }
    guard error == 0 || error == EPIPE else {
      throw LoadError(.io, "cannot write \(path): \(Platform.reason(error))")
    }
  }
}
