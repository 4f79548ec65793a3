package import Cellophane

/// What a line spent its time on. What did not happen took none.
package struct BatchTimings: Equatable, Sendable {
  /// How long it stood in its host's line, pauses of the host included.
  package var hostLine = Duration.zero
  package var inquiry: FetchMetrics?
  package var decode: Duration?

  /// Adds them to `line`, in milliseconds, when there is anything to tell.
  ///
  /// - Parameter isOfOrigin: Its origin was to be asked, whether it answered or not.
  func add(to line: inout JSONLine, isOfOrigin: Bool) {
    guard inquiry != nil || decode != nil || isOfOrigin else { return }
    line.add("timings_ms") { addMembers(to: &$0, isOfOrigin: isOfOrigin) }
  }

  private func addMembers(to line: inout JSONLine, isOfOrigin: Bool) {
    if inquiry != nil || isOfOrigin {
      line.add("queue", milliseconds: hostLine + (inquiry?.queue ?? .zero))
    }
    if let timings = inquiry?.timings {
      line.add("dns", milliseconds: timings.dns)
      line.add("connect", milliseconds: timings.connect)
      line.add("tls", milliseconds: timings.tls)
      line.add("firstByte", milliseconds: timings.firstByte)
      line.add("transfer", milliseconds: timings.transfer)
    }
    if let decode { line.add("decode", milliseconds: decode) }
  }
}
