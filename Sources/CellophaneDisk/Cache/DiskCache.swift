internal import Synchronization

/// A shared, persistent cache of responses: bounded, checksummed, and used by all processes that open the
/// same directory.
///
/// Each response is one file with the complete key, the headers and checksums. It is written under a
/// temporary name and renamed, so a reader sees either the complete file or none. Files are not synchronized
/// to the device. After a power failure the checksum turns a torn file into a miss, and lost responses can be
/// fetched again. Synchronizing costs milliseconds per write.
///
/// A failing disk never fails a load: a lookup becomes a miss, a store is skipped, and both are counted in
/// ``counters``. Each call tries the disk again, so the cache recovers by itself.
///
/// Operations that change the directory run on the actor's executor, one at a time, because they block. A
/// lookup of a file in the page cache runs on its caller's thread and does not block. Any other lookup waits
/// for the device on a separate thread, which stores never occupy.
public actor DiskCache {
  /// The path of the directory.
  package nonisolated let directory: String
  /// The maximum number of bytes in the directory, including unfinished files; counted in blocks of 4 KB.
  package nonisolated let limit: Int

  /// The state that calls on any thread share.
  struct Shared {
    var counters = DiskCounters()
    var errorListeners: [@Sendable (FileSystemError) -> Void] = []
    var directory: (any FileDirectory)?
    /// The times of recent uses that the files' modification dates do not have yet.
    var uses: [String: Duration] = [:]
    var isWritingDates = false
  }

  nonisolated let shared = Mutex(Shared())
  nonisolated let timeline: Timeline
  nonisolated let inspection: BlockingQueue
  nonisolated let readers: [BlockingQueue]
  private nonisolated let fileSystem: any FileSystem
  private nonisolated let executor: any SerialExecutor
  var lease: Lease?
  var credit: Credit?
  /// Whether another process held the ledger's lock at the last attempt.
  var isLedgerBusy = false
  /// The files that may be evicted; nil until eviction needs them.
  var recency: Recency?
  var deviceSpace = DeviceSpace()
  var sweep: Sweep?
  var sweeping: Task<Void, Never>?

  /// The executor of operations that change the directory.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The default limit in bytes. 256 MiB: about ten thousand thumbnails, and the usual order of magnitude of
  /// browser caches.
  public static let defaultLimit = 256 << 20

  /// Creates a cache in `directory`, which is created at the first store.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes on disk.
  ///   - executor: The executor of all file operations; nil for the cache's own queues.
  ///   - timeline: The source of the date.
  public init(
    directory: String, limit: Int = defaultLimit, executor: (any SerialExecutor)? = nil,
    timeline: Timeline = Timeline()
  ) {
    self.init(
      directory: directory, limit: limit, fileSystem: POSIXFileSystem(), executor: executor,
      timeline: timeline)
  }

  /// Creates a cache over `fileSystem`.
  package init(
    directory: String, limit: Int = defaultLimit, fileSystem: some FileSystem,
    executor: (any SerialExecutor)? = nil, timeline: Timeline = Timeline()
  ) {
    self.directory = directory
    self.limit = limit
    self.fileSystem = fileSystem
    self.timeline = timeline
    self.executor = executor ?? SerialQueueExecutor(label: "cellophane.disk")
    inspection = BlockingQueue(executor ?? SerialQueueExecutor(label: "cellophane.disk.inspect"))
    // Devices, especially remote ones, answer several requests in the time of one.
    readers = (0..<4).map {
      BlockingQueue(executor ?? SerialQueueExecutor(label: "cellophane.disk.read-\($0)"))
    }
  }

  /// The counts since this cache was created.
  public var counters: DiskCounters { shared.withLock { $0.counters } }

  /// Returns the response stored for `key`, fresh or stale, or nil. Marks it as used.
  ///
  /// A key with a secret scope returns nil without a lookup, because such responses are never on disk.
  public nonisolated func response(for key: ResponseKey) async -> StoredResponse? {
    guard let location = location(of: key, .response) else { return nil }
    if let file = await contents(of: location.name) {
      switch Entry.open(consume file, key: location.key) {
      case .response(let response):
        count { $0.hits += 1 }
        return response
      case .prefix, .corrupt:
        await removeCorrupt(location.name)
      case .otherKey:
        break
      }
    }
    count { $0.misses += 1 }
    return nil
  }

  /// Writes `response` and evicts the least recently used entries if there is no space.
  ///
  /// If the device is full below the limit, up to a quarter of the entries are evicted for one response. If
  /// another program then uses that space, eviction pauses before the next attempt.
  ///
  /// The response is not written, and an earlier response for `key` is removed, in these cases:
  /// - The response forbids storing (`Cache-Control: no-store`).
  /// - Its file would exceed an eighth of the limit. The memory cache uses the same share, so that a single
  ///   response cannot evict all others.
  /// - Its header fields and key exceed a megabyte.
  /// - A file operation fails.
  /// - The cache is full and a large directory must be listed first, which happens in the background.
  ///
  /// - Returns: The reason that the response is not on disk. Nil if it is stored, if it forbids storing, or
  ///   if the key has a secret scope.
  @discardableResult
  public nonisolated func store(_ response: StoredResponse, for key: ResponseKey) async -> StoreFailure? {
    guard let location = location(of: key, .response) else { return nil }
    return await store(response, totalLength: UInt64(response.body.count), at: location)
  }

  /// Removes the response stored for `key`, if any.
  public func remove(for key: ResponseKey) {
    if let location = location(of: key, .response) { remove(location.name) }
  }

  /// Writes `response`, whose body is all or the beginning of `totalLength` bytes.
  @discardableResult
  nonisolated func store(_ response: StoredResponse, totalLength: UInt64, at location: Location) async
    -> StoreFailure?
  {
    guard !CacheControl(response.headers).noStore else {
      await remove(location.name)
      return nil
    }
    let footer = Entry.footer(of: response, totalLength: totalLength, key: location.key)
    let cost = Ledger.cost(ofFileSize: response.body.count + footer.count)
    guard cost <= limit / 8, footer.count <= Entry.maxFooterLength else {
      count { $0.refused += 1 }
      await remove(location.name)
      return .tooLarge
    }
    return await write(
      [response.body, footer], cost: cost, to: location.name,
      isWholeResponse: totalLength == UInt64(response.body.count) && !response.isVaryMarker)
  }

  func remove(_ name: String) {
    do throws(FileSystemError) {
      try removeAndCredit(name, in: try openDirectory(creating: false))
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// Removes a damaged file. The ledger is not credited, because the file may have another size than when it
  /// was written.
  func removeCorrupt(_ name: String) {
    count { $0.corrupt += 1 }
    do throws(FileSystemError) {
      try openDirectory(creating: false).remove(name)
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }
}

extension DiskCache {
  nonisolated var now: Int64 { timeline.secondsSince1970 }

  /// The file name and the canonical key of an entry.
  struct Location {
    let name: String
    let key: [UInt8]
  }

  /// Returns the location of the `kind` of entry for `key`; nil if it must not be on disk.
  nonisolated func location(of key: ResponseKey, _ kind: EntryName.Kind) -> Location? {
    guard let bytes = key.canonicalBytes else { return nil }
    return Location(name: EntryName.name(of: kind, forKey: bytes), key: bytes)
  }

  /// Returns the directory, which stays open.
  nonisolated func openDirectory(creating: Bool) throws(FileSystemError) -> any FileDirectory {
    if let directory = shared.withLock({ $0.directory }) { return directory }
    let opened = try fileSystem.directory(at: directory, creating: creating)
    shared.withLock { $0.directory = opened }
    return opened
  }

  /// Closes a directory that is no longer at its path.
  nonisolated func forget(_ directory: any FileDirectory) {
    shared.withLock { if $0.directory === directory { $0.directory = nil } }
  }

  nonisolated func count(_ change: (inout DiskCounters) -> Void) {
    shared.withLock { change(&$0.counters) }
  }

  nonisolated func count(_ error: FileSystemError) {
    let listeners = shared.withLock { shared in
      shared.counters.errors += 1
      shared.counters.lastError = error.description
      return shared.errorListeners
    }
    for listener in listeners { listener(error) }
  }

  /// Calls `listener` with every error of a file operation from now on.
  package nonisolated func onError(_ listener: @escaping @Sendable (FileSystemError) -> Void) {
    shared.withLock { $0.errorListeners.append(listener) }
  }
}
