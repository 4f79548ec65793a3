package import Cellophane

/// What a line spent its time on. What did not happen took none.
package struct BatchTimings: Equatable, Sendable {
  /// How long it stood in its host's line, pauses of the host included.
  package var hostLine = Duration.zero
  package var inquiry: Inquiry?
  package var decode: Duration?

  /// Whether there is anything to write.
  ///
  /// - Parameter isOfOrigin: Its origin was to be asked, whether it answered or not.
  func tells(isOfOrigin: Bool) -> Bool { inquiry != nil || decode != nil || isOfOrigin }

  /// Adds them to `line`, in milliseconds.
  func write(to line: inout JSONLine, isOfOrigin: Bool) {
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
