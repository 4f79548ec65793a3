package import Cellophane

/// The times of the steps of a record.
package struct BatchTimings: Equatable, Sendable {
  /// The time in the queue of the host, including pauses of the host.
  package var hostQueue = Duration.zero
  /// The times of the requests; nil if none was sent.
  package var fetch: FetchMetrics?
  package var decode: Duration?

  /// Adds the known times to `json`, in milliseconds.
  ///
  /// - Parameter isOfOrigin: Whether the record failed during a request to its origin.
  func add(to json: inout JSONLine, isOfOrigin: Bool) {
    guard fetch != nil || decode != nil || isOfOrigin else { return }
    json.add("timings_ms") { addMembers(to: &$0, isOfOrigin: isOfOrigin) }
  }

  private func addMembers(to json: inout JSONLine, isOfOrigin: Bool) {
    if fetch != nil || isOfOrigin {
      json.add("queue", milliseconds: hostQueue + (fetch?.queue ?? .zero))
    }
    if let timings = fetch?.timings {
      json.add("dns", milliseconds: timings.dns)
      json.add("connect", milliseconds: timings.connect)
      json.add("tls", milliseconds: timings.tls)
      json.add("firstByte", milliseconds: timings.firstByte)
      json.add("transfer", milliseconds: timings.transfer)
    }
    if let decode { json.add("decode", milliseconds: decode) }
  }
}
