internal import Synchronization

/// Responses as they came, kept on disk across processes: bounded, checksummed, and shared by every process
/// that opens the same directory.
///
/// Each response is one file with the full key, the headers and checksums. It is written under a temporary
/// name and renamed, so a reader sees all of it or nothing. Nothing is synchronised to the device: after a
/// power failure the checksum turns a torn file into a miss, and what was lost can be fetched again; a
/// synchronising write costs milliseconds, a response must not.
///
/// A failing disk never fails a load: a lookup becomes a miss, a store is left out, and both are counted in
/// ``counters``. Every call tries anew, so the cache recovers by itself.
///
/// What changes the directory runs on the actor's executor, one after the other, because file operations
/// block. A lookup of what the system has in memory runs on its caller's thread and does not block; another
/// one waits for the device on a thread that no store holds up.
public actor DiskCache {
  /// Where the files are.
  public nonisolated let directory: String
  /// The most bytes the directory may hold, files in the making included; counted in blocks of 4 KB.
  public nonisolated let limit: Int

  /// What calls on any thread share.
  struct Shared {
    var counters = DiskCounters()
    var errorListeners: [@Sendable (FileSystemError) -> Void] = []
    var directory: (any FileDirectory)?
    /// When files were used that are not yet dated so.
    var uses: [String: Duration] = [:]
    var isDating = false
  }

  nonisolated let shared = Mutex(Shared())
  nonisolated let timeline: Timeline
  nonisolated let inspection: BlockingQueue
  private nonisolated let readers: [BlockingQueue]
  private nonisolated let fileSystem: any FileSystem
  private nonisolated let executor: any SerialExecutor
  var lease: Lease?
  var credit: Credit?
  /// Whether somebody else held the ledger's lock when this cache last wanted it.
  var isLedgerHeld = false
  /// What may be evicted; nil until there was need to know.
  var recency: Recency?
  var deviceRoom = DeviceRoom()
  var sweep: Sweep?
  var sweeping: Task<Void, Never>?

  /// The executor that what changes the directory blocks.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// The limit of a cache that is given none. 256 MB: about ten thousand thumbnails; browsers start in this range.
  public static let defaultLimit = 256 << 20

  /// A cache in `directory`, which is made at the first store.
  ///
  /// - Parameters:
  ///   - limit: The most bytes on disk.
  ///   - executor: Where all file operations run; nil is queues of its own.
  ///   - timeline: The source of the date.
  public init(
    directory: String, limit: Int = defaultLimit, fileSystem: some FileSystem = POSIXFileSystem(),
    executor: (any SerialExecutor)? = nil, timeline: Timeline = Timeline()
  ) {
    self.directory = directory
    self.limit = limit
    self.fileSystem = fileSystem
    self.timeline = timeline
    self.executor = executor ?? SerialQueueExecutor(label: "cellophane.disk")
    inspection = BlockingQueue(executor ?? SerialQueueExecutor(label: "cellophane.disk.inspect"))
    // Devices, above all distant ones, answer several questions in the time of one.
    readers = (0..<4).map {
      BlockingQueue(executor ?? SerialQueueExecutor(label: "cellophane.disk.read-\($0)"))
    }
  }

  /// What this cache did since it was made.
  public var counters: DiskCounters { shared.withLock { $0.counters } }

  /// The response stored for `key`, fresh or stale, or nil. Marks it as used.
  ///
  /// Nil without a lookup for a key with a secret scope, which is never on disk.
  public nonisolated func response(for key: ResponseKey) async -> StoredResponse? {
    guard let place = place(of: key, .whole) else { return nil }
    if let file = await contents(of: place.name) {
      switch Entry.open(consume file, key: place.key) {
      case .response(let response):
        count { $0.hits += 1 }
        return response
      case .prefix, .corrupt:
        await removeCorrupt(place.name)
      case .otherKey:
        break
      }
    }
    count { $0.misses += 1 }
    return nil
  }

  /// Writes `response`, evicting what was used least recently when there is no room.
  ///
  /// On a device that is full before the limit is reached, what was used least recently goes, too, up to a quarter of
  /// what there is for one response; unless somebody else takes the room, which is tried again after a while.
  ///
  /// Nothing is written, and an earlier response for `key` is removed, when the response forbids storing
  /// (`Cache-Control: no-store`), when its file would take more than an eighth of the limit (the share that
  /// the memory cache allows one entry: a single response must not sweep the others out) or its header fields and key
  /// more than a megabyte, when a file operation
  /// fails, or when there is no room before a large directory has been listed, which happens in the background.
  ///
  /// - Returns: Why it is not on disk; nil when it is, or may not be: for a key with a secret scope, too.
  @discardableResult
  public nonisolated func store(_ response: StoredResponse, for key: ResponseKey) async -> StoreFailure? {
    guard let place = place(of: key, .whole) else { return nil }
    return await store(response, wholeLength: UInt64(response.body.count), at: place)
  }

  /// Removes the response stored for `key`, if any.
  public func remove(for key: ResponseKey) {
    if let place = place(of: key, .whole) { remove(place.name) }
  }

  /// Writes `response`, whose body is the whole of `wholeLength` bytes or begins it.
  @discardableResult
  nonisolated func store(_ response: StoredResponse, wholeLength: UInt64, at place: Place) async
    -> StoreFailure?
  {
    guard !CacheControl(response.headers).noStore else {
      await remove(place.name)
      return nil
    }
    let end = Entry.end(of: response, wholeLength: wholeLength, key: place.key)
    let cost = Ledger.cost(ofFileSize: response.body.count + end.count)
    guard cost <= limit / 8, end.count <= Entry.longestEnd else {
      count { $0.refused += 1 }
      await remove(place.name)
      return .tooLarge
    }
    return await write(
      [response.body, end], cost: cost, to: place.name,
      isWholeResponse: wholeLength == UInt64(response.body.count) && !response.isSignpost)
  }

  func remove(_ name: String) {
    do throws(FileSystemError) {
      try takeAway(name, in: try openDirectory(isMade: false))
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// Takes nothing off the ledger: what is damaged may have another size than what was written.
  func removeCorrupt(_ name: String) {
    count { $0.corrupt += 1 }
    do throws(FileSystemError) {
      try openDirectory(isMade: false).remove(name)
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// The whole file called `name`, marked as used, or nil. One that is larger than the limit was written under
  /// another limit, and is left to eviction.
  nonisolated func contents(of name: String) async -> [UInt8]? {
    do throws(FileSystemError) {
      let contents = try await read(name)
      noteUse(of: name, dated: contents.used)
      return contents.bytes
    } catch {
      switch error.kind {
      case .notFound, .tooLarge: break
      case .notAFile: await removeCorrupt(name)
      default: count(error)
      }
      return nil
    }
  }

  private nonisolated func read(_ name: String) async throws(FileSystemError) -> FileContents {
    let most = min(limit, Self.longestAtOnce)
    if let contents = shared.withLock({ $0.directory })?.readAtOnce(name, atMost: most) { return contents }
    // The first digits of the name are those of a hash.
    let lane = readers[Int(name.utf8.first ?? 0) % readers.count]
    return try await lane.run { () throws(FileSystemError) in
      let directory = try self.openDirectory(isMade: false)
      do throws(FileSystemError) {
        return try self.read(name, in: directory)
      } catch {
        // Not here; but perhaps this is no longer the directory that others use.
        guard error.kind == .notFound, !directory.isInPlace else { throw error }
        self.forget(directory)
        return try self.read(name, in: self.openDirectory(isMade: false))
      }
    }
  }

  /// Blocks. A file of which somebody says that it is large is read when its end says so, too; else nothing of it.
  private nonisolated func read(
    _ name: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> FileContents {
    do throws(FileSystemError) {
      return try directory.read(name, atMost: min(limit, Self.longestAtOnce))
    } catch {
      guard error.kind == .tooLarge, limit > Self.longestAtOnce else { throw error }
    }
    let file = try directory.open(name)
    guard file.size <= limit else { throw FileSystemError(.tooLarge, operation: "read", path: name) }
    let isEntry = Entry.endLength(of: try file.end(Entry.trailerLength), fileSize: file.size) != nil
    return FileContents(bytes: isEntry ? try file.read(file.size, at: 0) : [], used: file.used)
  }

  /// The longest file that is read at once. 16 MB: nearly all pictures; memory for it is no harm when it is none.
  private static var longestAtOnce: Int { 16 << 20 }
}

/// What the rest stands on.
extension DiskCache {
  nonisolated var now: Int64 { timeline.secondsSince1970 }

  /// Where something is kept, and for which key.
  struct Place {
    let name: String
    let key: [UInt8]
  }

  /// Where `part` of the response for `key` is, or nil when it must not be on disk.
  nonisolated func place(of key: ResponseKey, _ part: EntryName.Part) -> Place? {
    guard let bytes = key.canonicalBytes else { return nil }
    return Place(name: EntryName.name(of: part, forKey: bytes), key: bytes)
  }

  /// The directory, which stays open.
  nonisolated func openDirectory(isMade: Bool) throws(FileSystemError) -> any FileDirectory {
    if let directory = shared.withLock({ $0.directory }) { return directory }
    let opened = try fileSystem.directory(at: directory, isMade: isMade)
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
  nonisolated func onError(_ listener: @escaping @Sendable (FileSystemError) -> Void) {
    shared.withLock { $0.errorListeners.append(listener) }
  }
}
