internal import Cellophane
internal import CellophaneBatch
internal import Synchronization

/// The directory that samples are written to, in archives of many: `000000.tar`, which is there once it is whole, and
/// `000000.jsonl`, which is there before it and says what is in it.
final class ShardFolder: BatchOutput {
  /// The most bytes of samples in an archive, unless one sample has more. 1 GiB: as WebDataset advises, long enough to be
  /// read at the speed of the disk or line, and short enough to be shuffled, and to be lost when its process is killed.
  static let mostBytes = 1 << 30

  private struct State {
    var shard: ShardFile?
    /// Those that have all their samples, and wait to be put in their places.
    var full: [ShardFile] = []
    /// Why samples that were told to be written are not there.
    var loss: LoadError?

    /// Nothing more comes to the archive that is written, if any.
    mutating func close() {
      if let shard { full.append(shard) }
      shard = nil
    }
  }

  private let folder: ShardNumbers
  private let form: OutputForm
  private let perShard: Int
  let needsKeys: Bool
  private let state = Mutex(State())
  private let keys: Mutex<SampleKeys>

  /// Takes up what is in `path` already.
  ///
  /// - Throws: ``LoadError/Kind/io`` when the directory or an index in it cannot be used.
  init(_ path: String, name: OutputName, form: OutputForm, perShard: Int) throws(LoadError) {
    try FileOutput.makeDirectory(path)
    (folder, self.form, self.perShard) = (ShardNumbers(path: path), form, perShard)
    needsKeys = name.isOfKey
    keys = Mutex(SampleKeys(named: name))
    try folder.removeRemains()
    for index in try folder.indexes() { try take(index) }
  }

  func place(of subject: OutputName.Subject) -> OutputPlace? {
    keys.withLock { $0.contains($0.key(of: subject)) } ? OutputPlace(file: nil) : nil
  }

  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputPlace {
    let (picture, suffix) = try form.file(of: item)
    let key = keys.withLock { $0.key(of: item.subject) }
    let sample = try ShardSample(key: key, picture: picture, suffix: suffix, result: item.result)
    // Others go on meanwhile: it takes until the device has all of them.
    defer { endFull() }
    return try state.withLock { state throws(LoadError) in try add(sample, to: &state) }
  }

  func finish() throws(LoadError) {
    state.withLock { $0.close() }
    endFull()
    if let loss = state.withLock(\.loss) { throw loss }
  }

  private func add(_ sample: ShardSample, to state: inout State) throws(LoadError) -> OutputPlace {
    // Of another line that asks for the same.
    if keys.withLock({ $0.contains(sample.key) }) { return OutputPlace(file: nil) }
    if let shard = state.shard, shard.bytes + sample.bytes.count > Self.mostBytes { state.close() }
    var shard: ShardFile
    if let open = state.shard { shard = open } else { shard = try folder.begin() }
    defer {
      state.shard = shard
      if shard.samples == perShard { state.close() }
    }
    try shard.append(sample)
    keys.withLock { $0.add(sample.key) }
    return OutputPlace(file: "\(shard.name).tar/\(sample.file)")
  }

  private func endFull() {
    while let shard = state.withLock({ $0.full.popLast() }) {
      do throws(LoadError) { try shard.finish() } catch { state.withLock { $0.loss = $0.loss ?? error } }
    }
  }

  private func take(_ index: String) throws(LoadError) {
    var reader = ListReader(.jsonl, field: FieldName("key"))
    func add(_ records: [ListRecord]) throws(LoadError) {
      for record in records {
        if let defect = record.defect {
          throw LoadError(.io, "cannot read \(index), line \(record.line): \(defect.message)")
        }
        keys.withLock { $0.add(record.url) }
      }
    }
    try FileOutput.read(index) { piece throws(LoadError) in try add(reader.read(piece)) }
    try add(reader.finish())
  }
}
