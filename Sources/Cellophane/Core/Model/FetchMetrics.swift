/// What it took to ask an origin.
public struct FetchMetrics: Hashable, Sendable {
  /// How many attempts were made, the one that was answered among them.
  public var attempts = 1
  /// How long the load waited for its turn, and for origins that are held back; not the pauses between its attempts.
  public var queue = Duration.zero
  /// What the exchange spent its time on that was answered.
  public var timings = TransferTimings()

  /// One attempt that took no time.
  public init() {}
}

/// What an exchange spent its time on, the redirects that it followed included. A connection that was kept takes no
/// time to be made.
public struct TransferTimings: Hashable, Sendable {
  /// Until the host's name had an address.
  public var dns = Duration.zero
  /// From there until the host accepted a connection.
  public var connect = Duration.zero
  /// From there until both sides agreed on encryption.
  public var tls = Duration.zero
  /// From sending the request to the first byte of the answer.
  public var firstByte = Duration.zero
  /// From the first byte of the answer to the last.
  public var transfer = Duration.zero

  /// No time at all.
  public init() {}

  static func += (sum: inout TransferTimings, part: TransferTimings) {
    sum.dns += part.dns
    sum.connect += part.connect
    sum.tls += part.tls
    sum.firstByte += part.firstByte
    sum.transfer += part.transfer
  }
}
