internal import Synchronization

extension DiskCache {
  /// Called now and then with how many files are done, and of how many; nil while nobody knows.
  public typealias Progress = @Sendable (_ done: Int, _ total: Int?) -> Void

  /// The version of the files' format; those of another one are ignored, and removed by the next sweep.
  public static var formatVersion: Int { EntryName.version }

  /// Counts what is in the directory. Time grows with the number of entries; those of at most 4 KB are read.
  public nonisolated func stats(progress: Progress? = nil) async -> DiskStatistics {
    await inspection.run {
      var result = DiskStatistics(entries: 0, prefixes: 0, bytes: 0, limit: limit, counters: DiskCounters())
      let files = listed(progress)
      if let directory = try? openDirectory(isMade: false) {
        let now = directory.now
        for file in files { result.count(file, isSignpost: isSignpost(file, in: directory), at: now) }
      }
      result.counters = shared.withLock { $0.counters }
      return result
    }
  }

  /// Every response and prefix, sorted by URL. Reads only the end of each file, does not count as use, and leaves
  /// out what is damaged there.
  public nonisolated func list(progress: Progress? = nil) async -> [DiskEntry] {
    await inspection.run {
      var entries: [DiskEntry] = []
      forEachKept(progress) { file, directory throws(FileSystemError) in
        if let entry = try described(file, in: directory) { entries.append(entry) }
      }
      return entries.sorted(by: <)
    }
  }

  /// Reads every entry and prefix whole and removes the damaged ones, and those under another's name, also what was
  /// written under a larger limit than this. Does not count as use.
  public nonisolated func verify(progress: Progress? = nil) async -> DiskVerification {
    await inspection.run {
      var result = DiskVerification()
      forEachKept(progress) { file, directory in
        do throws(FileSystemError) {
          guard try isIntact(file, in: directory) else {
            try directory.remove(file.name)
            count { $0.corrupt += 1 }
            result.corrupt += 1
            return
          }
          result.intact += 1
          result.bytes += file.size
        } catch {
          guard error.kind != .notFound else { return }
          count(error)
          result.unreadable += 1
        }
      }
      return result
    }
  }

  private nonisolated func listed(_ progress: Progress? = nil) -> [FileEntry] {
    do throws(FileSystemError) {
      let listing = try openDirectory(isMade: false).list()
      var files: [FileEntry] = []
      while true {
        let next = try listing.next(1_024)
        if next.isEmpty { return files }
        files += next
        progress?(files.count, nil)
      }
    } catch {
      if error.kind != .notFound { count(error) }
      return []
    }
  }

  private nonisolated func forEachKept(
    _ progress: Progress?, _ body: (FileEntry, any FileDirectory) throws(FileSystemError) -> Void
  ) {
    guard let directory = try? openDirectory(isMade: false) else {
      _ = listed()
      return
    }
    let files = listed(progress).filter {
      EntryName.role(of: $0.name) == .entry || EntryName.role(of: $0.name) == .prefix
    }
    for (number, file) in files.enumerated() {
      do throws(FileSystemError) {
        try body(file, directory)
      } catch {
        if error.kind != .notFound { count(error) }
      }
      let isLong = file.size >= Self.longFile
      if let progress, isLong || number % 256 == 255 || number == files.count - 1 {
        progress(number + 1, files.count)
      }
    }
  }

  private nonisolated func described(
    _ file: FileEntry, in directory: any FileDirectory
  ) throws(FileSystemError) -> DiskEntry? {
    guard let metadata = try metadata(of: file, in: directory),
      metadata.status != StoredResponse.signpostStatus,
      let key = ResponseKey.parts(ofCanonicalBytes: metadata.key)
    else { return nil }
    return DiskEntry(
      url: key.url, fields: key.headers.inList, partition: key.headers[HeaderFields.partitionName],
      account: key.account, status: metadata.status, size: metadata.bodyLength,
      isPrefix: metadata.wholeLength > UInt64(metadata.bodyLength),
      freshness: Freshness(status: metadata.status, headers: metadata.headers, storedAt: metadata.storedAt),
      sinceUse: directory.now - file.used)
  }

  private nonisolated func isSignpost(_ file: FileEntry, in directory: any FileDirectory) -> Bool {
    guard EntryName.role(of: file.name) == .entry, file.size <= Self.nearlyAllEnds else { return false }
    return (try? metadata(of: file, in: directory))?.status == StoredResponse.signpostStatus
  }

  /// True for an entry or prefix that is whole and under its name. Read piece by piece, so that no length is believed.
  private nonisolated func isIntact(
    _ file: FileEntry, in directory: any FileDirectory
  ) throws(FileSystemError) -> Bool {
    guard file.isRegular else { return false }
    let opened = try directory.open(file.name)
    guard let metadata = try metadata(of: opened), metadata.fileName == file.name else { return false }
    var offset = 0
    let checksum = try XXH3.checksum { () throws(FileSystemError) in
      let piece = try opened.read(min(Self.longFile, metadata.bodyLength - offset), at: offset)
      offset += piece.count
      return piece
    }
    return offset == metadata.bodyLength && checksum == metadata.bodyChecksum
  }

  private nonisolated func metadata(
    of file: FileEntry, in directory: any FileDirectory
  ) throws(FileSystemError) -> Entry.Metadata? {
    file.isRegular ? try metadata(of: directory.open(file.name)) : nil
  }

  private nonisolated func metadata(of file: any OpenFile) throws(FileSystemError) -> Entry.Metadata? {
    var end = try file.end(Self.nearlyAllEnds)
    guard let length = Entry.endLength(of: end, fileSize: file.size) else { return nil }
    end = length > end.count ? try file.end(length) : Array(end.suffix(length))
    return Entry.metadata(inEnd: end, fileSize: file.size)
  }

  /// Holds what follows the body in nearly all entries, in bytes; a longer end is read again.
  private static let nearlyAllEnds = 4_096

  /// How much is read at once, and what takes so long that progress is told after it, in bytes. 1 MB: a millisecond.
  private static let longFile = 1 << 20
}

extension DiskEntry {
  /// In the order of a list.
  fileprivate static func < (a: DiskEntry, b: DiskEntry) -> Bool {
    func order(_ entry: DiskEntry) -> (String, String, String, String, Int) {
      let fields = entry.fields.fields.map { $0.name + ":" + $0.value }.joined(separator: "\n")
      return (entry.url, entry.account ?? "", entry.partition ?? "", fields, entry.isPrefix ? 1 : 0)
    }
    return order(a) < order(b)
  }
}

extension HeaderFields {
  /// Those of a key as a list shows them.
  fileprivate var inList: HeaderFields {
    var shown = HeaderFields()
    for field in fields where field.name != Self.partitionName {
      let isPlain = Self.plainNames.contains(field.name) || field.name.hasPrefix("sec-ch-")
      shown.append(field.name, isPlain ? field.value : "#" + XXH3.shortDigits(of: field.value))
    }
    return shown
  }

  /// What says which form of a resource is wanted (RFC 9110, section 12.5; the Client Hints), and nothing of who wants
  /// it. Any other field may be a key to something.
  private static let plainNames: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "device-memory", "dpr", "downlink",
    "ect",
    "prefer", "range", "rtt", "save-data", "user-agent", "viewport-width", "width",
  ]
}

extension DiskStatistics {
  fileprivate mutating func count(_ file: FileEntry, isSignpost: Bool, at now: Duration) {
    let cost = Ledger.cost(ofFileSize: file.size)
    switch EntryName.role(of: file.name) {
    case .entry where isSignpost:
      signposts += 1
    case .entry:
      entries += 1
      noteUse(now - file.used)
    case .prefix:
      prefixes += 1
      prefixBytes += cost
      noteUse(now - file.used)
    case .temporary:
      unfinished += 1
      unfinishedBytes += cost
    case .otherVersion:
      otherVersions += 1
      otherVersionBytes += cost
    case .foreign:
      foreign += 1
      return
    case .ledger, .lease: return
    }
    bytes += cost
  }

  private mutating func noteUse(_ time: Duration) {
    sinceNewestUse = min(time, sinceNewestUse ?? time)
    sinceOldestUse = max(time, sinceOldestUse ?? time)
  }
}
