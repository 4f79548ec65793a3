package import Cellophane
internal import Synchronization

/// A directory of archives with samples.
///
/// `000000.tar` appears when the archive is complete. Its index `000000.jsonl` appears before it and lists its samples.
/// With a destination, the directory only stages the archives.
package final class ShardFolder: BatchOutput {
  /// The maximum of sample bytes in an archive, unless one sample is larger. 1 GiB, as WebDataset recommends: large enough
  /// to be read at the speed of the disk or network, and small enough to be shuffled, and to be lost when its process is
  /// killed.
  static let mostBytes = 1 << 30

  private struct State {
    var shard: ShardFile?
    /// Full archives that are not finished yet.
    var full: [ShardFile] = []
    /// The first error that lost samples whose results were reported as written.
    var failure: LoadError?
    /// The tasks that wait for the next archive; nil if no task begins one.
    var waiters: [OneShot<Result<Void, LoadError>>]?

    /// Moves the open archive, if any, to the full ones.
    mutating func close() {
      if let shard { full.append(shard) }
      shard = nil
    }
  }

  private let folder: ShardNumbers
  private let settings: OutputSettings
  private let perShard: Int
  /// The column of the captions; nil for samples without one.
  private let captionColumn: String?
  /// Nil if no two records with different samples can have the same key.
  private let claims: NameClaims?
  private let state = Mutex(State())
  private let keys: Mutex<SampleKeys>
  /// Nil if the archives stay in the directory.
  let destination: (any ShardDestination)?

  /// Opens or creates the directory `path` and reads the indexes in it.
  ///
  /// - Parameters:
  ///   - captionColumn: The column of the captions; nil for samples without one.
  ///   - numbersRepeat: True if two records may have the same number.
  ///   - destination: The destination of complete archives; nil if they stay in the directory.
  /// - Throws: ``LoadError/Kind/io`` if the directory or an index cannot be used.
  package init(
    _ path: String, name: OutputName, settings: OutputSettings, perShard: Int, captionColumn: String? = nil,
    numbersRepeat: Bool = false, destination: (any ShardDestination)? = nil
  ) throws(LoadError) {
    try FileIO.makeDirectory(path)
    (folder, self.settings, self.perShard) = (ShardNumbers(path: path), settings, perShard)
    (self.captionColumn, self.destination) = (captionColumn, destination)
    // A caption belongs to its record, so a name that only the request determines is not enough.
    let isUnique =
      captionColumn == nil && settings.columns.names.isEmpty ? name.isUnique : name.isUniqueToRecord
    claims = isUnique && !numbersRepeat ? nil : NameClaims()
    keys = Mutex(SampleKeys(named: name))
    try folder.removeLeftovers()
    for index in try folder.indexes() {
      do throws(LoadError) {
        try readIndex(index) { piece throws(LoadError) in try FileIO.read(index, piece: piece) }
      } catch {
        // Another process has sent the archive in the meantime.
        guard destination != nil, Platform.size(ofFileAt: index) == nil else { throw error }
      }
    }
  }

  package let sharesFiles = false

  package func claimName(of subject: OutputName.Subject) throws(LoadError) {
    guard let claims else { return }
    let details = [caption(of: subject), settings.columns.identity(subject.text)].compactMap(\.self)
    try claims.claim(
      keys.withLock { $0.key(of: subject) }, for: subject,
      details.isEmpty ? nil : details.joined(separator: "\n"))
  }

  package func location(of subject: OutputName.Subject) -> OutputLocation? {
    let origin = settings.originHash(of: subject, caption: caption(of: subject))
    return keys.withLock { $0.hasEarlier($0.key(of: subject), origin) } ? OutputLocation(file: nil) : nil
  }

  package func keep(_ item: BatchWork.Item) async throws(LoadError) -> OutputLocation {
    try await destination?.admit()
    let (picture, suffix) = try settings.file(of: item)
    let key = keys.withLock { $0.key(of: item.subject) }
    let caption = caption(of: item.subject)
    let sample = try ShardSample(
      key: key, picture: picture, suffix: suffix, caption: caption,
      origin: settings.originHash(of: item.subject, caption: caption), result: item.result)
    // Outside of the lock: it waits until the device has the complete archive.
    defer { finishFull() }
    while true {
      if let location = try state.withLock({ state throws(LoadError) in try add(sample, to: &state) }) {
        return location
      }
      finishFull()
      try await beginArchive()
    }
  }

  package func finish() async throws(LoadError) {
    state.withLock { $0.close() }
    finishFull()
    try await destination?.finish()
    if let failure = state.withLock(\.failure) { throw failure }
  }

  private func caption(of subject: OutputName.Subject) -> String? {
    captionColumn.map { subject.text(of: $0) ?? "" }
  }

  /// Returns nil if there is no open archive, and a destination decides about its number.
  private func add(_ sample: ShardSample, to state: inout State) throws(LoadError) -> OutputLocation? {
    // Another record with the same key was faster.
    if keys.withLock({ $0.contains(sample.key) }) { return OutputLocation(file: nil) }
    if let shard = state.shard, shard.bytes + sample.bytes.count > Self.mostBytes { state.close() }
    var shard: ShardFile
    if let open = state.shard {
      shard = open
    } else if destination == nil {
      shard = try folder.begin()
    } else {
      return nil
    }
    defer {
      state.shard = shard
      if shard.samples == perShard { state.close() }
    }
    try shard.append(sample)
    keys.withLock { $0.add(sample.key) }
    return OutputLocation(file: "\(shard.name).tar/\(sample.file)")
  }

  private func finishFull() {
    while let shard = state.withLock({ $0.full.popLast() }) {
      do throws(LoadError) {
        guard let (archive, statisticsFailure) = try shard.stage() else { continue }
        destination?.take(archive)
        if let statisticsFailure { throw statisticsFailure }
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }

  /// Begins an archive whose number is free at the destination. Tasks that need one at the same time share it.
  private func beginArchive() async throws(LoadError) {
    let slot = OneShot<Result<Void, LoadError>>()
    let isFirst = state.withLock { state in
      if state.shard != nil { slot.settle(.success(())) }
      defer { if state.shard == nil { state.waiters = (state.waiters ?? []) + [slot] } }
      return state.shard == nil && state.waiters == nil
    }
    guard isFirst else { return try await slot.value.get() }
    let result: Result<ShardFile, LoadError>
    do throws(LoadError) {
      result = .success(try await claimedArchive())
    } catch { result = .failure(error) }
    let waiters = state.withLock { state in
      if case .success(let shard) = result { state.shard = shard }
      return state.waiters.take() ?? []
    }
    for waiter in waiters { waiter.settle(result.map { _ in }) }
    _ = try result.get()
  }

  private func claimedArchive() async throws(LoadError) -> ShardFile {
    for _ in 0..<Self.mostRefusals {
      let shard = try folder.begin(except: destination?.takenNumbers ?? [])
      do throws(LoadError) {
        if try await destination?.claim(shard.number) ?? true { return shard }
      } catch {
        try shard.finish()
        throw error
      }
      // Removes it, because it has no sample.
      try shard.finish()
    }
    throw LoadError(
      .io,
      "the destination refuses \(Self.mostRefusals) archive numbers in a row that its list does not contain")
  }

  /// The maximum number of archives in a row whose numbers other processes take first: several times the number of processes.
  private static let mostRefusals = 1_000

  /// Adds the samples of an archive that is not in the directory.
  ///
  /// - Parameters:
  ///   - name: The name of its index, for errors.
  ///   - read: Passes the pieces of the index to its argument.
  func addSamples(
    ofIndex name: String, _ read: ((([UInt8]) throws(LoadError) -> Void)) async throws(LoadError) -> Void
  ) async throws(LoadError) {
    var reader = IndexReader(name: name)
    try await read { piece throws(LoadError) in add(try reader.read(piece)) }
    add(try reader.finish())
  }

  private func readIndex(
    _ index: String, _ read: ((([UInt8]) throws(LoadError) -> Void)) throws(LoadError) -> Void
  ) throws(LoadError) {
    var reader = IndexReader(name: index)
    try read { piece throws(LoadError) in add(try reader.read(piece)) }
    add(try reader.finish())
  }

  private func add(_ samples: [(key: String, origin: String)]) {
    keys.withLock { keys in
      for sample in samples { keys.addEarlier(sample.key, sample.origin) }
    }
  }
}
