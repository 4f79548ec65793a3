/// The counts of one ``DiskCache`` since it was created.
public struct DiskCounters: Hashable, Sendable {
  /// Lookups that found a complete entry, fresh or stale.
  public internal(set) var hits = 0
  /// Lookups that found no entry.
  public internal(set) var misses = 0
  /// Complete responses written, without prefixes and `Vary` markers.
  public internal(set) var stores = 0
  /// Responses not written because they would exceed an eighth of the limit, or because space could not be
  /// freed immediately: a large directory that this cache has not listed is listed in the background.
  public internal(set) var refused = 0
  /// Entries evicted.
  public internal(set) var evictions = 0
  /// The total cost of the evicted entries in bytes.
  package internal(set) var evictedBytes = 0
  /// Damaged files found and removed. A lookup that finds one also counts a miss.
  public internal(set) var corrupt = 0
  /// Failed file operations. The load continues without the cache.
  public internal(set) var errors = 0
  /// The description of the last failure.
  public internal(set) var lastError: String?
}

/// The contents of the cache directory and the counts of one ``DiskCache``.
package struct DiskStatistics: Hashable, Sendable {
  /// The number of responses in the directory, of all processes.
  package var entries: Int
  /// The number of `Vary` markers: files that lead to the variants of a response. A marker above 4 KB, for a
  /// URL of nearly that length, counts among ``entries``.
  package var varyMarkers = 0
  /// The number of prefixes in the directory, of all processes.
  package var prefixes: Int
  /// The total size of the cache's files in bytes; each file counts in blocks of 4 KB.
  package var bytes: Int
  /// The size of the prefixes in bytes.
  package var prefixBytes = 0
  /// The number of unfinished files, including those of processes that died.
  package var unfinished = 0
  /// The size of the unfinished files in bytes.
  package var unfinishedBytes = 0
  /// The number of files in the format of another version of Cellophane. They are never read; the next sweep
  /// removes them.
  package var otherVersions = 0
  /// The size of these files in bytes.
  package var otherVersionBytes = 0
  /// The number of files that do not belong to the cache. They are never counted in ``bytes`` and never
  /// changed.
  package var foreign = 0
  /// The time since the most recent use of a response or prefix; nil if there is none.
  package var sinceNewestUse: Duration?
  /// The time since the last use of the entry to evict next; nil if there is none.
  package var sinceOldestUse: Duration?
  /// The maximum number of bytes in the directory.
  package var limit: Int
  /// The counts of this cache since it was created.
  package var counters: DiskCounters
}

/// One response of the cache, for a list.
package struct DiskEntry: Hashable, Sendable {
  /// The requested URL.
  package var url: String
  /// The other parts of the key: the request's header fields, and the transport's fields that the origin
  /// selected the response by (`Vary`). A value that may be secret is shown as eight digits of its hash, such
  /// as `#0123abcd`.
  package var fields: HeaderFields
  /// The partition of the transport that loaded the response; see ``Transport/partition``.
  package var partition: String?
  /// The name of the account that the request was made for, if any.
  package var account: String?
  /// The status code.
  package var status: Int
  /// The length of the body in bytes, or of its stored beginning.
  package var size: Int
  /// True for the beginning of a body whose transfer broke.
  package var isPrefix: Bool
  /// The freshness of the response.
  package var freshness: Freshness
  /// The time since the response was last stored or used.
  package var sinceUse: Duration
}

/// The result of ``DiskCache/verify(progress:)``.
package struct DiskVerification: Hashable, Sendable {
  /// The number of undamaged entries.
  package var intact = 0
  /// The number of damaged entries, which were removed.
  package var corrupt = 0
  /// The number of entries that could not be read, or were damaged and could not be removed.
  package var unreadable = 0
  /// The total file size of the undamaged entries in bytes.
  package var bytes = 0
}
