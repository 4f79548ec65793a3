/// The bucket of one line, shared by all its connections. Pure: time comes in as a parameter.
///
/// It is kept as the moment when the line is free again: sending n bytes moves that on by n / rate. A piece
/// may leave once its last bit is through, or up to one burst earlier after a pause, which also makes up
/// for a timer that fired late.
struct LinkBucket: Sendable {
  /// Ethernet's 1500 bytes less IP and TCP headers.
  static let segment = 1460

  /// The largest piece given to one connection before the next one's turn: one segment, or a millisecond of
  /// the line when that is more, so that a fast line does not need a wake-up every few microseconds.
  let piece: Int
  private let bitsPerSecond: Int
  private let slack: Duration
  private var free = Duration.zero

  /// A line of `bitsPerSecond`, idle since before time began.
  init(bitsPerSecond: Int, roundTrip: Duration) {
    self.bitsPerSecond = bitsPerSecond
    // A segment, and 5 ms that a timer may be late on a busy machine; the bandwidth-delay product bounds
    // it, so that small pictures do not arrive for free.
    let late = Self.bytes(in: .milliseconds(5), bitsPerSecond)
    let burst = max(Self.segment, min(Self.segment + late, Self.bytes(in: roundTrip, bitsPerSecond)))
    piece = max(Self.segment, min(burst, Self.bytes(in: .milliseconds(1), bitsPerSecond)))
    slack = Self.time(for: burst, bitsPerSecond)
    free = .zero - slack
  }

  /// The earliest moment at which `bytes` may leave, when nothing else leaves first.
  func departure(of bytes: Int, at now: Duration) -> Duration {
    max(free, now - slack) + Self.time(for: bytes, bitsPerSecond)
  }

  /// Takes the line for `bytes` and returns when they have left.
  mutating func send(_ bytes: Int, at now: Duration) -> Duration {
    free = departure(of: bytes, at: now)
    return free
  }

  private static func time(for bytes: Int, _ bitsPerSecond: Int) -> Duration {
    .seconds(bytes) * 8 / bitsPerSecond
  }

  private static func bytes(in time: Duration, _ bitsPerSecond: Int) -> Int {
    Int(Double(bitsPerSecond) / 8 * (time / .seconds(1)))
  }
}
