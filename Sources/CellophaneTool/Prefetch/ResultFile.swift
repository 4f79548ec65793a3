internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// JSON Lines, one object a result, whole lines only whoever writes at once.
///
/// Lines of one moment are written together: each call of the system costs as much as the making of a line. To somebody
/// who reads, as through a pipe, each goes at once.
final class ResultFile: Sendable {
  private struct Pending {
    var lines: [UInt8] = []
    /// The first error, after which nothing more is written.
    var error: Int32 = 0
  }

  private struct Written {
    /// What was there before is gone.
    var hasBegun = false
    /// The bytes of whole lines.
    var length = 0
    /// Those of the last time, for their room.
    var lines: [UInt8] = []
  }

  /// So many bytes wait at most. 64 KB: some hundred lines.
  private static let mostPending = 64 << 10

  /// Whether writing may wait, for as long as somebody does not read.
  let mayWait: Bool
  private let descriptor: Int32
  private let path: String
  private let pending = Mutex(Pending())
  /// Held while some are written.
  private let written = Mutex(Written())

  /// Opens `path`, which keeps what was there until there is something to write; `-` is standard output; nil is no file.
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
      path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotWrite(path, because: errno) }
    mayWait = Platform.mayWait(writingTo: descriptor)
  }

  /// Takes a line. What waits is written by a task on `timeline`, or here where there is too much of it.
  func write(_ result: BatchResult, on timeline: Timeline) {
    let line = result.line
    let (isFirst, isFull) = pending.withLock { pending in
      guard pending.error == 0 else { return (false, false) }
      let isFirst = pending.lines.isEmpty
      pending.lines += line
      return (isFirst, mayWait || pending.lines.count >= Self.mostPending)
    }
    if isFull {
      flush()
    } else if isFirst {
      timeline.spawn { [self] in flush() }
    }
  }

  /// Writes what waits.
  func flush() {
    written.withLock { written in
      written.lines.removeAll(keepingCapacity: true)
      pending.withLock { swap(&written.lines, &$0.lines) }
      if written.lines.isEmpty { return }
      guard begin(&written) else { return }
      let error = Output.write(written.lines.span, to: descriptor)
      if error == 0 {
        written.length += written.lines.count
      } else {
        cut(written)
        fail(error)
      }
    }
  }

  /// Empties the file, once; what is no file stays as it is. False when that is not possible.
  private func begin(_ written: inout Written) -> Bool {
    if written.hasBegun { return true }
    if isOurs, !Platform.setLength(descriptor, to: 0) {
      fail(Platform.lastError)
      return false
    }
    written.hasBegun = true
    return true
  }

  private func fail(_ error: Int32) { pending.withLock { ($0.lines, $0.error) = ([], error) } }

  /// Whether it is a file, and none that was standard output, which is not ours to cut.
  private var isOurs: Bool { descriptor != STDOUT_FILENO && Platform.size(ofFile: descriptor) != nil }

  /// Takes half a line off, where the disk became full within it.
  private func cut(_ written: Written) {
    guard isOurs, let length = Platform.size(ofFile: descriptor) else { return }
    let whole = written.lines.prefix(max(0, length - written.length)).lastIndex(of: UInt8(ascii: "\n")).map {
      $0 + 1
    }
    Platform.setLength(descriptor, to: written.length + (whole ?? 0))
  }

  /// False once they cannot be written any more: what is loaded from then on would not be told, nor is what waits then.
  var isWritable: Bool { pending.withLock { $0.error == 0 } }

  /// True once they were written to somebody who has gone, as `head` does: nobody wants more.
  var hasNoReader: Bool { pending.withLock { $0.error == EPIPE } }

  /// Ends the file.
  ///
  /// - Parameter isWhole: Without a result it is empty, too; otherwise it has what it had before.
  func close(isWhole: Bool) throws(LoadError) {
    flush()
    if isWhole, isWritable { written.withLock { _ = begin(&$0) } }
    let error = pending.withLock(\.error)
    if descriptor != STDOUT_FILENO { Platform.close(descriptor) }
    guard error == 0 || error == EPIPE else {
      throw .cannotWrite(path, because: error)
    }
  }
}
