package import Cellophane
internal import Synchronization

/// A directory of archives with samples.
///
/// `000000.tar` appears when the archive is complete. Its index `000000.jsonl` appears before it and lists its samples.
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

  /// Opens or creates the directory `path` and reads the indexes in it.
  ///
  /// - Parameters:
  ///   - captionColumn: The column of the captions; nil for samples without one.
  ///   - numbersRepeat: True if two records may have the same number.
  /// - Throws: ``LoadError/Kind/io`` if the directory or an index cannot be used.
  package init(
    _ path: String, name: OutputName, settings: OutputSettings, perShard: Int, captionColumn: String? = nil,
    numbersRepeat: Bool = false
  ) throws(LoadError) {
    try FileIO.makeDirectory(path)
    (folder, self.settings, self.perShard) = (ShardNumbers(path: path), settings, perShard)
    self.captionColumn = captionColumn
    // A caption belongs to its record, so a name that only the request determines is not enough.
    let isUnique =
      captionColumn == nil && settings.columns.names.isEmpty ? name.isUnique : name.isUniqueToRecord
    claims = isUnique && !numbersRepeat ? nil : NameClaims()
    keys = Mutex(SampleKeys(named: name))
    try folder.removeLeftovers()
    for index in try folder.indexes() { try readIndex(index) }
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

  package func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation {
    let (picture, suffix) = try settings.file(of: item)
    let key = keys.withLock { $0.key(of: item.subject) }
    let caption = caption(of: item.subject)
    let sample = try ShardSample(
      key: key, picture: picture, suffix: suffix, caption: caption,
      origin: settings.originHash(of: item.subject, caption: caption), result: item.result)
    // Outside of the lock: it waits until the device has the complete archive.
    defer { finishFull() }
    return try state.withLock { state throws(LoadError) in try add(sample, to: &state) }
  }

  package func finish() throws(LoadError) {
    state.withLock { $0.close() }
    finishFull()
    if let failure = state.withLock(\.failure) { throw failure }
  }

  private func caption(of subject: OutputName.Subject) -> String? {
    captionColumn.map { subject.text(of: $0) ?? "" }
  }

  private func add(_ sample: ShardSample, to state: inout State) throws(LoadError) -> OutputLocation {
    // Another record with the same key was faster.
    if keys.withLock({ $0.contains(sample.key) }) { return OutputLocation(file: nil) }
    if let shard = state.shard, shard.bytes + sample.bytes.count > Self.mostBytes { state.close() }
    var shard: ShardFile
    if let open = state.shard { shard = open } else { shard = try folder.begin() }
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
      do throws(LoadError) { try shard.finish() } catch {
        state.withLock { $0.failure = $0.failure ?? error }
      }
    }
  }

  private func readIndex(_ index: String) throws(LoadError) {
    var reader = ListReader(.jsonl, field: FieldName("key"))
    func add(_ records: [ListRecord]) throws(LoadError) {
      for record in records {
        if let defect = record.defect {
          throw LoadError(.io, "cannot read \(index), line \(record.line): \(defect.message)")
        }
        // Without an origin, the sample is not known to be that of any record.
        guard let origin = record.text(of: "origin") else { continue }
        keys.withLock { $0.addEarlier(record.url, origin) }
      }
    }
    try FileIO.read(index) { piece throws(LoadError) in try add(reader.read(piece)) }
    try add(reader.finish())
  }
}
