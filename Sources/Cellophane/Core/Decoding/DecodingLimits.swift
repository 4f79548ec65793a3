#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What decoding may use at once.
public struct DecodingLimits: Sendable {
  /// How many decode at once: one per core, since decoding only computes.
  public var decoders = ProcessInfo.processInfo.activeProcessorCount
  /// The memory that they may use for it in all, in bytes. 512 MB: one picture of the largest size allowed
  /// (100 Mpx, 400 MB) and a few of common sizes beside it. Others wait for their turn.
  public var workingBytes = 512 << 20

  /// The defaults.
  public init() {}
}
