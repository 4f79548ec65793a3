/// What one ``DiskCache`` has done since it was made.
public struct DiskCounters: Hashable, Sendable {
  /// Lookups that found a whole entry, fresh or stale.
  public internal(set) var hits = 0
  /// Lookups that found none.
  public internal(set) var misses = 0
  /// Whole responses written; neither prefixes nor what only leads to the variants of a response.
  public internal(set) var stores = 0
  /// Responses not written because one of them would take more than an eighth of the limit, or because room could
  /// not be made at once: a large directory that this cache does not know yet is listed in the background.
  public internal(set) var refused = 0
  /// Entries removed to make room.
  public internal(set) var evictions = 0
  /// What those entries counted, in bytes.
  public internal(set) var evictedBytes = 0
  /// Files found damaged and removed; each is also a miss when a lookup found it.
  public internal(set) var corrupt = 0
  /// File operations that failed; a load goes on without the cache.
  public internal(set) var errors = 0
  /// The last failure, as one sentence.
  public internal(set) var lastError: String?
}

/// What is in the cache directory, and what one ``DiskCache`` did there.
public struct DiskStatistics: Hashable, Sendable {
  /// Responses in the directory, of all processes.
  public var entries: Int
  /// Files that only lead to the variants of responses which `Vary` tells apart. One of more than 4 KB, for a URL that
  /// is nearly as long, counts among ``entries``.
  public var signposts = 0
  /// Prefixes of responses in the directory, of all processes.
  public var prefixes: Int
  /// What all files of the cache count, in bytes: each in whole blocks of 4 KB.
  public var bytes: Int
  /// What of it the prefixes count.
  public var prefixBytes = 0
  /// Files in the making, and those that processes left behind which died.
  public var unfinished = 0
  /// What they count.
  public var unfinishedBytes = 0
  /// Files in the format of another version of Cellophane. They are never read; the next sweep removes them.
  public var otherVersions = 0
  /// What they count.
  public var otherVersionBytes = 0
  /// What is in the directory and not the cache's: never counted, never touched.
  public var foreign = 0
  /// The time since the most recent use of a response or prefix; nil when there is none.
  public var sinceNewestUse: Duration?
  /// The time since the use of the one that is evicted first; nil when there is none.
  public var sinceOldestUse: Duration?
  /// The most bytes the directory may hold.
  public var limit: Int
  /// What this cache did since it was made.
  public var counters: DiskCounters
}

/// One response of the cache, for a list.
public struct DiskEntry: Hashable, Sendable {
  /// The URL that was asked for.
  public var url: String
  /// By what else it is found: the header fields that it was asked for with, and those of the transport by which its
  /// origin chose it (`Vary`). Values that may be a secret are told by eight digits of their hash, as `#0123abcd`.
  public var fields: HeaderFields
  /// The partition of the transport that brought it; see ``Transport/partition``.
  public var partition: String?
  /// The name of the account on whose behalf it was asked for, if any.
  public var account: String?
  /// The status code.
  public var status: Int
  /// The length of the body in bytes, or of what is there of it.
  public var size: Int
  /// True for the beginning of a body whose transfer broke.
  public var isPrefix: Bool
  /// Whether and how long it may be used without asking its origin.
  public var freshness: Freshness
  /// The time since it was last stored or used.
  public var sinceUse: Duration
}

/// What ``DiskCache/verify()`` found.
public struct DiskVerification: Hashable, Sendable {
  /// Entries that are whole.
  public var intact = 0
  /// Entries that were damaged, and are removed.
  public var corrupt = 0
  /// Entries that could not be read, or not be removed although damaged, and are left.
  public var unreadable = 0
  /// The lengths of the whole entries' files, together.
  public var bytes = 0
}
