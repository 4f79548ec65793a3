/// The cost of a fetch from an origin.
public struct FetchMetrics: Hashable, Sendable {
  /// The number of attempts, including the successful one.
  public var attempts = 1
  /// The time that the load waited for a transfer slot and for open circuits, without the pauses between its
  /// attempts.
  public var queue = Duration.zero
  /// The time spent on each step of the successful exchange.
  public var timings = TransferTimings()
  /// Whether only the end of the connection marked the end of the body, which may therefore be truncated (RFC
  /// 9112, section 8).
  public var isCloseDelimited = false

  /// Creates metrics of one attempt that took no time.
  package init() {}
}

/// The time spent on each step of an exchange, including followed redirects. A reused connection takes no
/// time to set up.
public struct TransferTimings: Hashable, Sendable {
  /// The time to resolve the host name.
  public var dns = Duration.zero
  /// The time from then until the host accepted a connection.
  public var connect = Duration.zero
  /// The time from then until the end of the TLS handshake.
  public var tls = Duration.zero
  /// The time from sending the request to the first byte of the response.
  public var firstByte = Duration.zero
  /// The time from the first byte of the response to the last.
  public var transfer = Duration.zero

  /// Creates timings of zero.
  package init() {}

  package static func += (sum: inout TransferTimings, part: TransferTimings) {
    sum.dns += part.dns
    sum.connect += part.connect
    sum.tls += part.tls
    sum.firstByte += part.firstByte
    sum.transfer += part.transfer
  }
}
