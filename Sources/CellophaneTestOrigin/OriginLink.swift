internal import Cellophane
internal import CellophaneNetwork
internal import Synchronization

/// The state that all exchanges of one origin share.
struct OriginLink: Sendable {
  let network: NetworkProfile
  /// The round trips before the first request of a connection.
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
    pacer = try Pacer(link: network.downBitsPerSecond.map(bucket))
  }

  /// Returns the time at which a request of `bytes` bytes has arrived and its response may begin.
  func responseTime(forRequestOf bytes: Int, isFirstOnConnection: Bool) -> Duration {
    let now = pacer.now
    let arrival =
      uplink.bucket.withLock { bucket in
        bucket?.prepare(at: now, isContinuous: false)
        return bucket?.send(bytes)
      } ?? now
    // A new connection adds its handshakes; those of the kernel take no time on loopback.
    return max(arrival, now) + network.roundTrip * (isFirstOnConnection ? 1 + handshakes : 1)
  }
}
