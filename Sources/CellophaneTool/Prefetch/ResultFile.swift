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
  private let firstError = Mutex<Int32>(0)

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

  func write(_ result: BatchResult) {
    let line = result.line
    firstError.withLock { error in
      guard error == 0 else { return }
      error = Output.write(line.span, to: descriptor)
    }
  }

  /// True once they were written to somebody who has gone, as `head` does: nobody wants more.
  var hasNoReader: Bool { firstError.withLock { $0 == EPIPE } }

  func close() throws(LoadError) {
    let error = firstError.withLock { $0 }
    if descriptor != STDOUT_FILENO { Platform.close(descriptor) }
    guard error == 0 || error == EPIPE else {
      throw LoadError(.io, "cannot write \(path): \(Platform.reason(error))")
    }
  }
}
