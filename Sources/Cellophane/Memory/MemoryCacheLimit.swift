#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The constants of the memory cache.
@usableFromInline package enum MemoryCacheLimit {
  /// 15 % of the memory that the process may use, at most 512 MB: some hundred pictures of a phone's width, and no
  /// more than a server can give to one of its libraries. The memory is that of the control group, the address space
  /// or the machine, whichever is least.
  package static var standard: Int {
    standard(of: MemoryLimit.ofProcess, ProcessInfo.processInfo.physicalMemory)
  }

  /// Returns the limit for a process with the memory limit `process` on a machine with `machine` bytes.
  package static func standard(of process: Int?, _ machine: UInt64) -> Int {
    min(min(process ?? .max, Int(clamping: machine)) / 100 * 15, 512 << 20)
  }

  /// One value may take an eighth of the limit. A larger one would evict most images of the screen.
  package static let entryShare = 8

  /// What an entry takes beside its value, in bytes: the key with a URL of common length, its place in the table,
  /// the head of a common response and the allocator's share. Counted for each value, so that many small ones are bounded, too.
  package static let entryCost = 512

  /// Tries before a caller goes to sleep. Each takes about 10 ns when taken; twice the hold time of a hit
  /// is some ten tries, the rest covers a holder that evicts.
  @usableFromInline static var spins: Int { 64 }
}
