package import Cellophane

/// What a line spent its time on. What did not happen took none.
package struct BatchTimings: Equatable, Sendable {
  package var inquiry: Inquiry?
  package var decode: Duration?

  var json: JSONLine? {
    guard inquiry != nil || decode != nil else { return nil }
    var line = JSONLine()
    func add(_ name: String, _ duration: Duration) { line.add(name, duration / .milliseconds(1)) }
    if let inquiry {
      add("queue", inquiry.queue)
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
