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
/// The actor runs on an executor of its own, because file operations block. Calls are answered one at a time.
public actor DiskCache {
  /// Where the files are.
  public nonisolated let directory: String
  /// The most bytes the directory may hold, files in the making included; counted in blocks of 4 KB.
  public nonisolated let limit: Int
  /// What this cache did since it was made.
  public internal(set) var counters = DiskCounters()

  let fileSystem: any FileSystem
  private let timeline: Timeline
  private nonisolated let errorListeners = Mutex<[@Sendable (FileSystemError) -> Void]>([])
  private nonisolated let executor: any SerialExecutor

  /// The executor that the file operations block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// A cache in `directory`, which is made at the first store.
  ///
  /// - Parameters:
  ///   - limit: The most bytes on disk. 256 MB: about ten thousand thumbnails; browsers start in this range.
  ///   - executor: Where the file operations run; nil is a queue of its own.
  ///   - timeline: The source of the date.
  public init(
    directory: String, limit: Int = 256 << 20, fileSystem: some FileSystem = POSIXFileSystem(),
    executor: (any SerialExecutor)? = nil, timeline: Timeline = Timeline()
  ) {
    self.directory = directory
    self.limit = limit
    self.fileSystem = fileSystem
    self.executor = executor ?? SerialQueueExecutor(label: "cellophane.disk")
    self.timeline = timeline
  }

  /// The response stored for `key`, fresh or stale, or nil. Marks it as used.
  ///
  /// Nil without a lookup for a key with a secret scope, which is never on disk.
  public func response(for key: ResponseKey) -> StoredResponse? {
    guard let place = place(of: key, .whole) else { return nil }
    if let file = contents(of: place.path) {
      switch Entry.open(consume file, key: place.key) {
      case .response(let response):
        counters.hits += 1
        return response
      case .prefix, .corrupt:
        removeCorrupt(place.path)
      case .otherKey:
        break
      }
    }
    counters.misses += 1
    return nil
  }

  /// Writes `response`, evicting what was used least recently when there is no room.
  ///
  /// Nothing is written, and an earlier response for `key` is removed, when the response forbids storing
  /// (`Cache-Control: no-store`), when its file would take more than an eighth of the limit (the share that
  /// the memory cache allows one entry: a single response must not sweep the others out), or when a file
  /// operation fails.
  public func store(_ response: StoredResponse, for key: ResponseKey) {
    guard let place = place(of: key, .whole) else { return }
    store(response, wholeLength: UInt64(response.body.count), at: place)
  }

  /// Removes the response stored for `key`, if any.
  public func remove(for key: ResponseKey) {
    if let place = place(of: key, .whole) { remove(place.path) }
  }

  /// Removes every entry, whoever wrote it, and every file in the making.
  public func removeAll() {
    sweep(to: 0, removing: { _ in true })
  }

  /// Evicts what was used least recently until the directory holds at most `bytes`.
  public func trim(to bytes: Int) {
    sweep(to: bytes, removing: \.isAbandoned)
  }

  var now: Int64 { timeline.secondsSince1970 }

  func path(of name: String) -> String { directory + "/" + name }

  func count(_ error: FileSystemError) {
    counters.errors += 1
    counters.lastError = error.description
    for listener in errorListeners.withLock({ $0 }) { listener(error) }
  }

  /// Calls `listener` with every error of a file operation from now on.
  nonisolated func onError(_ listener: @escaping @Sendable (FileSystemError) -> Void) {
    errorListeners.withLock { $0.append(listener) }
  }

  /// Writes `response`, whose body is the whole of `wholeLength` bytes or begins it.
  func store(_ response: StoredResponse, wholeLength: UInt64, at place: Place) {
    guard !CacheControl(response.headers).noStore else { return remove(place.path) }
    let end = Entry.end(of: response, wholeLength: wholeLength, key: place.key)
    guard ByteTotal.cost(ofFileSize: response.body.count + end.count) <= limit / 8 else {
      counters.refused += 1
      return remove(place.path)
    }
    do throws(FileSystemError) {
      try write([response.body, end], to: place.path)
      counters.stores += 1
    } catch {
      count(error)
      try? fileSystem.remove(place.path)
    }
  }

  /// The whole file at `path`, marked as used, or nil. One that is larger than the limit was written under
  /// another limit, and is left to eviction.
  func contents(of path: String) -> [UInt8]? {
    do throws(FileSystemError) {
      return try fileSystem.use(path, atMost: limit)
    } catch {
      switch error.kind {
      case .notFound, .tooLarge: break
      case .notAFile: removeCorrupt(path)
      default: count(error)
      }
      return nil
    }
  }

  func removeCorrupt(_ path: String) {
    counters.corrupt += 1
    remove(path)
  }

  func remove(_ path: String) {
    do throws(FileSystemError) {
      try fileSystem.remove(path)
    } catch {
      if error.kind != .notFound { count(error) }
    }
  }

  /// Where something is kept, and for which key.
  struct Place {
    let path: String
    let key: [UInt8]
  }

  /// Where `part` of the response for `key` is, or nil when it must not be on disk.
  func place(of key: ResponseKey, _ part: EntryName.Part) -> Place? {
    guard let bytes = key.canonicalBytes else { return nil }
    return Place(path: path(of: EntryName.name(of: part, forKey: bytes)), key: bytes)
  }
}
