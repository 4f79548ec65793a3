package import Cellophane
internal import Dispatch
internal import Synchronization

/// The records of a list, read on demand. A list of any length takes constant memory, and records of a pipe
/// are processed as they arrive.
///
/// Blocking reads run on a separate queue, so that a slow pipe does not block the threads that process
/// results.
package final class ListSource: Sendable {
  /// Blocks until there are more bytes and returns them; an empty array at the end.
  package typealias Read = @Sendable () throws(LoadError) -> [UInt8]

  private struct State {
    var reader: ListReader
    // In reverse order.
    var records: [ListRecord]
    var isAtEnd: Bool
    /// The number of bytes up to the end of the last returned record.
    var returnedBytes = 0
    /// The number of returned records.
    var returnedRecords = 0
    var failure: LoadError?

    mutating func next() -> ListRecord? {
      guard let record = records.popLast() else { return nil }
      returnedBytes = record.end
      returnedRecords += 1
      return record
    }

    mutating func take(_ chunk: Result<[UInt8], LoadError>) {
      do throws(LoadError) {
        let chunk = try chunk.get()
        isAtEnd = chunk.isEmpty
        records = try (chunk.isEmpty ? reader.finish() : reader.read(chunk)).reversed()
      } catch {
        (isAtEnd, failure) = (true, error)
        // The last line is parsed as far as it was read.
        records = ((try? reader.finish()) ?? []).reversed()
      }
    }
  }

  private let read: Read
  private let length: Int?
  private let queue = DispatchQueue(label: "cellophane.lines")
  private let state: Mutex<State>

  /// Creates a source that parses the bytes of `read` with `reader`.
  ///
  /// - Parameter length: The number of bytes; nil if unknown.
  package init(_ reader: ListReader, length: Int? = nil, read: @escaping Read) {
    self.read = read
    self.length = length
    state = Mutex(State(reader: reader, records: [], isAtEnd: false))
  }

  /// Creates a source of URLs, numbered from 1.
  package init(urls: [String]) {
    let records = urls.enumerated().map { index, url in
      ListRecord(position: index, line: index + 1, url: url, end: index + 1)
    }
    read = { [] }
    length = urls.count
    state = Mutex(State(reader: ListReader(.lines), records: records.reversed(), isAtEnd: true))
  }

  /// Returns the next record, or nil at the end, after an error, or if the task is cancelled.
  package func next() async -> ListRecord? {
    // Fast path
    let (record, isAtEnd) = state.withLock { ($0.next(), $0.isAtEnd) }
    if record != nil || isAtEnd { return record }
    // Slow path
    let cell = OneShot<ListRecord?>()
    queue.async { [self] in cell.settle(readOne()) }
    return await withTaskCancellationHandler {
      await cell.value
    } onCancel: {
      cell.settle(nil)
    }
  }

  /// The share of the list that was returned, from 0 to 1; nil if its length is unknown.
  package var share: Double? { state.withLock { part($0) } }

  /// Returns the completed share of the list after `ended` records: the returned share of the bytes times the
  /// completed share of the returned records. Nil if the length of the list is unknown.
  package func share(ended: Int) -> Double? {
    state.withLock { state in
      part(state).map { $0 * Double(ended) / Double(max(1, state.returnedRecords, ended)) }
    }
  }

  /// Checks whether the list was read without an error.
  ///
  /// - Throws: The error that ended the reading.
  package func check() throws(LoadError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func part(_ state: State) -> Double? {
    guard let length, length > 0 else { return nil }
    return min(1, Double(state.returnedBytes) / Double(length))
  }

  /// Reads the next record. Runs on the serial queue, so that only one read is active.
  private func readOne() -> ListRecord? {
    while true {
      let (record, isAtEnd) = state.withLock { ($0.next(), $0.isAtEnd) }
      if record != nil || isAtEnd { return record }
      let chunk: Result<[UInt8], LoadError>
      do throws(LoadError) { chunk = .success(try read()) } catch { chunk = .failure(error) }
      state.withLock { $0.take(chunk) }
    }
  }
}
