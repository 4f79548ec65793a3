internal import Cellophane

/// The bucket of one line, shared by all its connections. Pure: time comes in as a parameter.
///
/// It is kept as the moment when the line is free again: sending n bytes moves that on by n / rate. A piece may leave
/// once its last bit is through. A timer that fires late costs nothing, because the next piece is counted from that
/// moment, not from now; a line that rested is counted from now, so that nothing arrives for free.
struct LinkBucket: Sendable {
  /// Ethernet's 1500 bytes less IP and TCP headers.
  static let segment = 1460

  /// The largest piece given to one connection before the next one's turn: one segment, or a millisecond of
  /// the line when that is more, so that a fast line does not need a wake-up every few microseconds; at most the
  /// bandwidth-delay product.
  let piece: Int
  private let bitsPerSecond: Int
  private var free = Duration.zero

  /// A line of `bitsPerSecond`, idle since before time began.
  init(bitsPerSecond: Int, roundTrip: Duration) {
    self.bitsPerSecond = bitsPerSecond
    let most = min(Self.bytes(in: .milliseconds(1), bitsPerSecond), Self.bytes(in: roundTrip, bitsPerSecond))
    piece = max(Self.segment, most)
  }

  /// How late a timer may be and be made up for. 50 ms: a machine that is so busy shapes no line.
  static let patience = Duration.milliseconds(50)

  /// Somebody wants to send, and nobody else waits; `isGoingOn` when he had more to send all along, so that what he
  /// comes too late is the timer's fault.
  mutating func ask(at now: Duration, isGoingOn: Bool) {
    if now - free > (isGoingOn ? Self.patience : .zero) { free = now }
  }

  /// When `bytes` may leave, when nothing else leaves first.
  func departure(of bytes: Int) -> Duration { free + .seconds(bytes) * 8 / bitsPerSecond }

  /// Takes the line for `bytes` and returns when they have left.
  @discardableResult
  mutating func send(_ bytes: Int) -> Duration {
    free = departure(of: bytes)
    return free
  }

  private static func bytes(in time: Duration, _ bitsPerSecond: Int) -> Int {
    Int(Double(bitsPerSecond) / 8 * (time / .seconds(1)))
  }
}
