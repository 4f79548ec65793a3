package import Cellophane

/// What a line spent its time on. What did not happen took none.
package struct BatchTimings: Equatable, Sendable {
  /// How long it stood in its host's line, pauses of the host included.
  package var hostLine = Duration.zero
  package var inquiry: Inquiry?
  package var decode: Duration?

  /// - Parameter isOfOrigin: Its origin was to be asked, whether it answered or not.
  func json(isOfOrigin: Bool) -> JSONLine? {
    guard inquiry != nil || decode != nil || isOfOrigin else { return nil }
    var line = JSONLine()
    func add(_ name: String, _ duration: Duration) { line.add(name, duration / .milliseconds(1)) }
    if inquiry != nil || isOfOrigin { add("queue", hostLine + (inquiry?.queue ?? .zero)) }
    if let inquiry {
      add("dns", inquiry.timings.dns)
      add("connect", inquiry.timings.connect)
      add("tls", inquiry.timings.tls)
      add("firstByte", inquiry.timings.firstByte)
      add("transfer", inquiry.timings.transfer)
    }
    if let decode { add("decode", decode) }
    return line
  }
}
