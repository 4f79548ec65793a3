internal import Cellophane
internal import Synchronization

/// Everything that all exchanges of one origin share.
struct OriginLine: Sendable {
  let network: NetworkProfile
  /// The round trips before a connection's first request.
  let handshakes: Int
  let handler: @Sendable (OriginRequest) -> OriginResponse
  let ledger = OriginLedger()
  let pacer: Pacer
  private let uplink: Uplink

  private final class Uplink: Sendable {
    let bucket: Mutex<LinkBucket?>
    init(_ bucket: LinkBucket?) { self.bucket = Mutex(bucket) }
  }

  init(
    network: NetworkProfile, handshakes: Int, handler: @escaping @Sendable (OriginRequest) -> OriginResponse
  ) throws(LoadError) {
    self.network = network
    self.handshakes = handshakes
    self.handler = handler
    let bucket = { LinkBucket(bitsPerSecond: $0, roundTrip: network.roundTrip) }
    uplink = Uplink(network.upBitsPerSecond.map(bucket))
    pacer = try Pacer(line: network.downBitsPerSecond.map(bucket))
  }

  /// When a request of `bytes` bytes has come up the line and its answer may begin to come down.
  func answerTime(forRequestOf bytes: Int, isFirstOnConnection: Bool) -> Duration {
    let now = pacer.now
    let arrival =
      uplink.bucket.withLock { bucket in
        bucket?.ask(at: now, isGoingOn: false)
        return bucket?.send(bytes)
      } ?? now
    // Those of a new connection come on top; the kernel's own took no time.
    return max(arrival, now) + network.roundTrip * (isFirstOnConnection ? 1 + handshakes : 1)
  }
}
