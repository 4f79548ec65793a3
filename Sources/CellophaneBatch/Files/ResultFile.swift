package import Cellophane
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file of JSON Lines with one object for each result. Lines stay complete when several threads write.
///
/// Lines that arrive together are written together, because a system call costs as much as encoding a line. For a pipe or
/// terminal each line is written at once.
package final class ResultFile: Sendable {
  private struct Pending {
    var lines: [UInt8] = []
    /// The first error. After it, nothing is written.
    var error: Int32 = 0
  }

  private struct Written {
    /// True after the earlier content was removed.
    var hasBegun = false
    /// The number of bytes in complete lines.
    var length = 0
    /// The buffer of the last write, reused for its capacity.
    var lines: [UInt8] = []
  }

  /// The maximum of buffered bytes. 64 KB: some hundred lines.
  private static let mostPending = 64 << 10

  /// True if a write may block until the reader of a pipe or terminal reads.
  package let mayBlock: Bool
  private let descriptor: Int32
  private let path: String
  private let pending = Mutex(Pending())
  /// Held during a write.
  private let written = Mutex(Written())

  /// Opens `path`. An existing file keeps its content until the first write. `-` is standard output, and nil gives nil.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the file cannot be opened; ``LoadError/Kind/invalidRequest`` if it is the file
  ///   of `list`.
  package init?(_ path: String?, besides list: ListInput) throws(LoadError) {
    guard let path else { return nil }
    guard !list.reads(fileAt: path) else {
      throw LoadError(
        .invalidRequest, "the results would overwrite the list \(path); write them to another file")
    }
    self.path = path
    descriptor =
      path == "-" ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .cannotWrite(path, because: errno) }
    mayBlock = Platform.mayBlock(writingTo: descriptor)
  }

  /// Adds a line. A task on `timeline` writes the buffer, or this call if the buffer is full.
  package func write(_ result: BatchResult, on timeline: Timeline) {
    let line = result.jsonLine
    let (isFirst, isFull) = pending.withLock { pending in
      guard pending.error == 0 else { return (false, false) }
      let isFirst = pending.lines.isEmpty
      pending.lines += line
      return (isFirst, mayBlock || pending.lines.count >= Self.mostPending)
    }
    if isFull {
      flush()
    } else if isFirst {
      timeline.spawn { [self] in flush() }
    }
  }

  /// Writes the buffered lines.
  package func flush() {
    written.withLock { written in
      written.lines.removeAll(keepingCapacity: true)
      pending.withLock { swap(&written.lines, &$0.lines) }
      if written.lines.isEmpty { return }
      guard begin(&written) else { return }
      let error = Platform.write(written.lines.span, to: descriptor)
      if error == 0 {
        written.length += written.lines.count
      } else {
        removePartialLine(written)
        fail(error)
      }
    }
  }

  /// Removes the earlier content of a file before the first write; returns false if that fails.
  private func begin(_ written: inout Written) -> Bool {
    if written.hasBegun { return true }
    if isTruncatable, !Platform.setLength(descriptor, to: 0) {
      fail(Platform.lastError)
      return false
    }
    written.hasBegun = true
    return true
  }

  private func fail(_ error: Int32) { pending.withLock { ($0.lines, $0.error) = ([], error) } }

  /// True for a regular file, unless it is standard output: another process may append to that.
  private var isTruncatable: Bool {
    descriptor != STDOUT_FILENO && Platform.size(ofFile: descriptor) != nil
  }

  /// Removes the partial line that a full disk has left at the end.
  private func removePartialLine(_ written: Written) {
    guard isTruncatable, let length = Platform.size(ofFile: descriptor) else { return }
    let complete = written.lines.prefix(max(0, length - written.length)).lastIndex(of: UInt8(ascii: "\n"))
      .map { $0 + 1 }
    Platform.setLength(descriptor, to: written.length + (complete ?? 0))
  }

  /// False once results can no longer be written. The results of later loads, and the buffered ones, are lost.
  package var isWritable: Bool { pending.withLock { $0.error == 0 } }

  /// True after the reader has closed its pipe, as `head` does.
  package var hasNoReader: Bool { pending.withLock { $0.error == EPIPE } }

  /// Writes the buffered lines and closes the file.
  ///
  /// - Parameter isComplete: True to remove the earlier content even if there is no result.
  package func close(isComplete: Bool) throws(LoadError) {
    flush()
    if isComplete, isWritable { written.withLock { _ = begin(&$0) } }
    let error = pending.withLock(\.error)
    if descriptor != STDOUT_FILENO { Platform.close(descriptor) }
    guard error == 0 || error == EPIPE else {
      throw .cannotWrite(path, because: error)
    }
  }
}
