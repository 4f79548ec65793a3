internal import Synchronization

extension DiskCache {
  /// A function that is called repeatedly with the number of processed files and of all files; nil while that
  /// is unknown.
  package typealias Progress = @Sendable (_ done: Int, _ total: Int?) -> Void

  /// The version of the file format. Files of other versions are ignored and removed by the next sweep.
  package static var formatVersion: Int { EntryName.version }

  /// Returns statistics of the directory. Linear in the number of entries; files of at most 4 KB are read.
  package nonisolated func stats(progress: Progress? = nil) async -> DiskStatistics {
    await inspection.run {
      var result = DiskStatistics(entries: 0, prefixes: 0, bytes: 0, limit: limit, counters: DiskCounters())
      let files = listFiles(progress)
      if let directory = try? openDirectory(creating: false) {
        let now = directory.now
        for file in files { result.count(file, isVaryMarker: isVaryMarker(file, in: directory), at: now) }
      }
      result.counters = shared.withLock { $0.counters }
      return result
    }
  }

  /// Returns every response and prefix, sorted by URL. Reads only the end of each file, does not mark it as
  /// used, and omits files that are damaged there.
  package nonisolated func list(progress: Progress? = nil) async -> [DiskEntry] {
    await listing(progress: progress).entries
  }

  /// Returns the result of ``list(progress:)``, with the number of omitted damaged files.
  package nonisolated func listing(progress: Progress? = nil) async -> (entries: [DiskEntry], damaged: Int) {
    await inspection.run {
      var entries: [DiskEntry] = []
      var damaged = 0
      forEachEntry(progress) { file, directory throws(FileSystemError) in
        guard let metadata = try metadata(of: file, in: directory) else { return damaged += 1 }
        guard metadata.status != StoredResponse.varyMarkerStatus else { return }
        guard let entry = diskEntry(file, metadata, in: directory) else { return damaged += 1 }
        entries.append(entry)
      }
      return (entries.sorted(by: <), damaged)
    }
  }

  /// Reads every response and prefix completely, also those that are larger than the limit, and removes files that are
  /// damaged or have a wrong name. Does not mark files as used.
  package nonisolated func verify(progress: Progress? = nil) async -> DiskVerification {
    await inspection.run {
      var result = DiskVerification()
      forEachEntry(progress) { file, directory in
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

  private nonisolated func listFiles(_ progress: Progress? = nil) -> [FileEntry] {
    do throws(FileSystemError) {
      let listing = try openDirectory(creating: false).list()
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

  private nonisolated func forEachEntry(
    _ progress: Progress?, _ body: (FileEntry, any FileDirectory) throws(FileSystemError) -> Void
  ) {
    guard let directory = try? openDirectory(creating: false) else {
      _ = listFiles()
      return
    }
    let files = listFiles(progress).filter {
      EntryName.role(of: $0.name) == .entry || EntryName.role(of: $0.name) == .prefix
    }
    for (number, file) in files.enumerated() {
      do throws(FileSystemError) {
        try body(file, directory)
      } catch {
        if error.kind != .notFound { count(error) }
      }
      let isLong = file.size >= Self.pieceLength
      if let progress, isLong || number % 256 == 255 || number == files.count - 1 {
        progress(number + 1, files.count)
      }
    }
  }

  /// Returns the entry of a response or prefix; nil if its key is damaged.
  private nonisolated func diskEntry(
    _ file: FileEntry, _ metadata: Entry.Metadata, in directory: any FileDirectory
  ) -> DiskEntry? {
    guard let key = ResponseKey.parts(ofCanonicalBytes: metadata.key) else { return nil }
    return DiskEntry(
      url: key.url, fields: key.headers.redacted, partition: key.headers[HeaderFields.partitionName],
      account: key.account, status: metadata.status, size: metadata.bodyLength,
      isPrefix: metadata.totalLength > UInt64(metadata.bodyLength),
      freshness: Freshness(status: metadata.status, headers: metadata.headers, storedAt: metadata.storedAt),
      sinceUse: directory.now - file.used)
  }

  private nonisolated func isVaryMarker(_ file: FileEntry, in directory: any FileDirectory) -> Bool {
    guard EntryName.role(of: file.name) == .entry, file.size <= Self.typicalFooterLength else { return false }
    return (try? metadata(of: file, in: directory))?.status == StoredResponse.varyMarkerStatus
  }

  /// Returns whether an entry or prefix is complete and has the name of its key. It is read in pieces, so
  /// that a false length allocates no memory.
  private nonisolated func isIntact(
    _ file: FileEntry, in directory: any FileDirectory
  ) throws(FileSystemError) -> Bool {
    guard file.isRegular else { return false }
    let opened = try directory.open(file.name)
    guard let metadata = try metadata(of: opened), metadata.fileName == file.name else { return false }
    var offset = 0
    let checksum = try XXH3.checksum { () throws(FileSystemError) in
      let piece = try opened.read(min(Self.pieceLength, metadata.bodyLength - offset), at: offset)
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
    var footer = try file.end(Self.typicalFooterLength)
    guard let length = Entry.footerLength(of: footer, fileSize: file.size) else { return nil }
    footer = length > footer.count ? try file.end(length) : Array(footer.suffix(length))
    return Entry.metadata(inFooter: footer, fileSize: file.size)
  }

  /// The length in bytes that covers the footer of nearly all entries; a longer footer is read again.
  private static let typicalFooterLength = 4_096

  /// The length of one read, and the size of a file that is reported as progress by itself, in bytes. 1 MB
  /// takes about a millisecond.
  private static let pieceLength = 1 << 20
}

extension DiskEntry {
  /// Orders by URL, account, partition and fields; a response precedes its prefix.
  fileprivate static func < (a: DiskEntry, b: DiskEntry) -> Bool {
    func order(_ entry: DiskEntry) -> (String, String, String, String, Int) {
      let fields = entry.fields.fields.map { $0.name + ":" + $0.value }.joined(separator: "\n")
      return (entry.url, entry.account ?? "", entry.partition ?? "", fields, entry.isPrefix ? 1 : 0)
    }
    return order(a) < order(b)
  }
}

extension HeaderFields {
  /// The fields of a key without the partition. Values that may be secret are replaced by hashes.
  fileprivate var redacted: HeaderFields {
    var redacted = HeaderFields()
    for field in fields where field.name != Self.partitionName {
      let isPlain = Self.plainNames.contains(field.name) || field.name.hasPrefix("sec-ch-")
      redacted.append(field.name, isPlain ? field.value : "#" + XXH3.shortDigits(of: field.value))
    }
    return redacted
  }

  /// The fields that select a representation (RFC 9110, section 12.5; the Client Hints) and do not identify a
  /// user. Any other field may be a credential.
  private static let plainNames: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "device-memory", "dpr", "downlink",
    "ect",
    "prefer", "range", "rtt", "save-data", "user-agent", "viewport-width", "width",
  ]
}

extension DiskStatistics {
  fileprivate mutating func count(_ file: FileEntry, isVaryMarker: Bool, at now: Duration) {
    let cost = Ledger.cost(ofFileSize: file.size)
    switch EntryName.role(of: file.name) {
    case .entry where isVaryMarker:
      varyMarkers += 1
    case .entry:
      entries += 1
      recordUse(now - file.used)
    case .prefix:
      prefixes += 1
      prefixBytes += cost
      recordUse(now - file.used)
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

  private mutating func recordUse(_ time: Duration) {
    sinceNewestUse = min(time, sinceNewestUse ?? time)
    sinceOldestUse = max(time, sinceOldestUse ?? time)
  }
}
