#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import Synchronization

/// A limit of the memory of all animations that play at the same time.
///
/// An animation takes its memory from the pool when its playback begins, and gives it back when the playback ends. Where the
/// rest is too small, the playback shows the first frame only.
public final class AnimationPool: Sendable {
  private let limit: Int
  private let used = Mutex(0)

  /// The pool of the process: 5 % of the memory that it may use, at most 128 MiB.
  public static let shared = AnimationPool(limit: standard)

  private static var standard: Int {
    let memory = min(MemoryLimit.ofProcess ?? .max, Int(clamping: ProcessInfo.processInfo.physicalMemory))
    return min(memory / 20, 128 << 20)
  }

  /// Creates a pool of `limit` bytes.
  public init(limit: Int) { self.limit = limit }

  /// The bytes of the animations that play.
  public var usedBytes: Int { used.withLock(\.self) }

  /// Returns a reservation of `bytes`; nil if they exceed the rest of the pool.
  func reserve(_ bytes: Int) -> Reservation? {
    let isFree = used.withLock { used in
      guard bytes <= limit - used else { return false }
      used += bytes
      return true
    }
    return isFree ? Reservation(self, bytes) : nil
  }

  /// A part of the pool, which is given back when the reservation is released.
  final class Reservation: Sendable {
    private let pool: AnimationPool
    private let bytes: Int

    fileprivate init(_ pool: AnimationPool, _ bytes: Int) { (self.pool, self.bytes) = (pool, bytes) }

    deinit { pool.used.withLock { $0 -= bytes } }
  }
}
