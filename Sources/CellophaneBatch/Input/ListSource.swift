package import Cellophane
internal import Dispatch
internal import Synchronization

/// Records of a list, read as they are asked for, so that a list of any length takes no memory and a pipe is answered
/// as it speaks.
///
/// Reading blocks on a queue of its own: a slow pipe must not hold up the threads on which results end.
package final class ListSource: Sendable {
  /// Blocks until there are more bytes, and gives them; none at the end.
  package typealias Read = @Sendable () throws(LoadError) -> [UInt8]

  private struct State {
    var reader: ListReader
    // The next record last.
    var records: [ListRecord]
    var isAtEnd: Bool
    /// The bytes up to the end of the last record that was handed out.
    var given = 0
    /// How many were.
    var recordsGiven = 0
    var failure: LoadError?

    mutating func next() -> ListRecord? {
      guard let record = records.popLast() else { return nil }
      given = record.end
      recordsGiven += 1
      return record
    }

    mutating func take(_ chunk: Result<[UInt8], LoadError>) {
      do throws(LoadError) {
        let chunk = try chunk.get()
        isAtEnd = chunk.isEmpty
        records = try (chunk.isEmpty ? reader.finish() : reader.read(chunk)).reversed()
      } catch {
        (isAtEnd, failure) = (true, error)
        // What the last line has up to there.
        records = ((try? reader.finish()) ?? []).reversed()
      }
    }
  }

  private let read: Read
  private let length: Int?
  private let queue = DispatchQueue(label: "cellophane.lines")
  private let state: Mutex<State>

  /// What `read` gives, cut up by `reader`.
  ///
  /// - Parameter length: The bytes that there are; nil when nobody knows.
  package init(_ reader: ListReader, length: Int? = nil, read: @escaping Read) {
    self.read = read
    self.length = length
    state = Mutex(State(reader: reader, records: [], isAtEnd: false))
  }

  /// These URLs, numbered from 1.
  package init(urls: [String]) {
    let records = urls.enumerated().map { index, url in
      ListRecord(position: index, line: index + 1, url: url, end: index + 1)
    }
    read = { [] }
    length = urls.count
    state = Mutex(State(reader: ListReader(.lines), records: records.reversed(), isAtEnd: true))
  }

  /// The next record; nil at the end, after an error, or when the task is cancelled.
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

  /// How much of the list was handed out, from 0 to 1; nil when its length is not known.
  package var share: Double? { state.withLock { part($0) } }

  /// How much of the list is done with once `ended` of its records are: of what was handed out, as large a part as of its
  /// records. Nil when its length is not known.
  package func share(ended: Int) -> Double? {
    state.withLock { state in
      part(state).map { $0 * Double(ended) / Double(max(1, state.recordsGiven, ended)) }
    }
  }

  /// - Throws: the error that ended the reading, when one did.
  package func check() throws(LoadError) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func part(_ state: State) -> Double? {
    guard let length, length > 0 else { return nil }
    return min(1, Double(state.given) / Double(length))
  }

  /// On the queue, so that one reads at a time.
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
