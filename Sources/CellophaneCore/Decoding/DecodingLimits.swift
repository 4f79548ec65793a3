#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The resource limits of concurrent decoding.
public struct DecodingLimits: Sendable {
  /// The maximum number of concurrent decodings: one per core, because decoding only computes.
  public var decoders: Int
  /// The memory budget of concurrent decodings in bytes. Further decodings wait. Nil for the budget that all such loaders
  /// of the process share: 512 MiB, at most half of the memory that the process may use.
  public var workingBytes: Int?
  /// The maximum number of decodings that wait for their turn; nil for no maximum. Each keeps its body in memory. Beyond
  /// it, the decoding that would begin last fails with ``LoadError/Kind/busy``.
  public var maxWaiting: Int?

  /// Creates limits. Nil selects the default.
  public init(decoders: Int? = nil, workingBytes: Int? = nil, maxWaiting: Int? = nil) {
    self.decoders = decoders ?? ProcessInfo.processInfo.activeProcessorCount
    self.workingBytes = workingBytes
    self.maxWaiting = maxWaiting
  }

  /// The budget that loaders share, in bytes.
  ///
  /// 512 MB: one image of the maximum size (100 Mpx, 400 MB) and a few of common sizes. The memory that the process may
  /// use is the limit of its control group, or of its address space.
  package static let sharedBytes = min(512 << 20, (MemoryLimit.ofProcess ?? .max) / 2)
}
