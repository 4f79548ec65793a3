package import Cellophane

/// What became of one line.
package struct BatchResult: Sendable {
  /// How it ended.
  package enum Outcome: String, CaseIterable, Sendable {
    /// Its bytes came from the origin.
    case fetched
    /// Its bytes were on disk, still fresh.
    case fresh
    /// An earlier line asked for the same.
    case duplicate
    /// The error says why.
    case failed
  }

  /// How many records stand before it in the list.
  package let position: Int
  /// The number of its line.
  package let index: Int
  /// As it stands in the list; without its user name and password, with which it cannot be loaded.
  package var url: String
  package var outcome = Outcome.failed
  package var bytes: Int?
  package var status: Int?
  package var contentType: String?
  package var width: Int?
  package var height: Int?
  package var error: ErrorReport?
  package var duration = Duration.zero
  private let carried: [UInt8]

  package init(_ record: ListRecord) {
    (position, index, url, carried) = (record.position, record.line, record.url, record.carried)
  }

  package mutating func fail(_ error: LoadError) {
    outcome = .failed
    status = status ?? error.status
    self.error = ErrorReport(error)
  }

  /// As a line of JSON Lines.
  package var line: [UInt8] {
    var line = JSONLine()
    line.add("index", index)
    line.add("url", url)
    line.add("outcome", outcome.rawValue)
    if let bytes { line.add("bytes", bytes) }
    if let status { line.add("status", status) }
    if let contentType { line.add("contentType", contentType) }
    if let width { line.add("width", width) }
    if let height { line.add("height", height) }
    if let error { line.add("error", error.json) }
    if !carried.isEmpty { line.add("fields", members: carried) }
    line.add("duration_ms", duration / .milliseconds(1))
    return line.line
  }
}

extension ErrorReport {
  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("kind", kind)
    line.add("retryable", retryable)
    line.add("message", message)
    if let attempts { line.add("attempts", attempts) }
    if let retryAfter_s { line.add("retryAfter_s", retryAfter_s) }
    return line
  }
}
