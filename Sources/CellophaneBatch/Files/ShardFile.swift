internal import Cellophane

/// An unfinished archive, its index and its statistics, under temporary names.
///
/// The process holds a lock on the archive, which shows other processes that it is alive.
struct ShardFile {
  /// The number of the archive, with at least six digits.
  let name: String
  var number: Int { ShardNumbers.number(name + ".tar") ?? 0 }
  /// The length of the archive in bytes, without its end.
  private(set) var bytes = 0
  private(set) var samples = 0
  private let folder: ShardNumbers
  private let archive: Int32
  private let index: Int32
  /// Created with the archive, so that a disk without space for another file fails the first sample and loses none.
  private let statisticsFile: Int32
  private var indexBytes = 0
  private var statistics = ShardStatistics()

  init(name: String, in folder: ShardNumbers, archive: Int32, index: Int32, statisticsFile: Int32) {
    (self.name, self.folder, self.archive, self.index) = (name, folder, archive, index)
    self.statisticsFile = statisticsFile
  }

  /// Appends a sample. If that fails, both files keep their content.
  mutating func append(_ sample: ShardSample) throws(LoadError) {
    let line = sample.indexLine(at: bytes)
    do throws(LoadError) {
      try write(sample.bytes, to: archive)
      try write(line, to: index)
    } catch {
      Platform.setLength(archive, to: bytes)
      Platform.setLength(index, to: indexBytes)
      throw error
    }
    bytes += sample.bytes.count
    indexBytes += line.count
    samples += 1
    statistics.add(sample)
  }

  /// Closes both files and gives them their names; removes them if they have no sample.
  ///
  /// - Throws: ``LoadError/Kind/io`` if that fails. The samples are lost.
  func finish() throws(LoadError) { _ = try stage() }

  /// Closes the index and gives both files their names; removes them if they have no sample.
  ///
  /// - Returns: The archive, which is locked as long as the object exists, and the error that left it without statistics; nil
  ///   without a sample.
  /// - Throws: ``LoadError/Kind/io`` if that fails. The samples are lost.
  func stage() throws(LoadError) -> (archive: StagedArchive, statisticsFailure: LoadError?)? {
    let staged = StagedArchive(
      name: name, folder: folder.path, file: archive, size: bytes + TarEntry.end)
    // The end of the object closes the archive and releases the lock, so it is last.
    defer { withExtendedLifetime(staged) {} }
    defer { for file in [index, statisticsFile] { Platform.close(file) } }
    do throws(LoadError) {
      guard samples > 0 else {
        folder.remove(name)
        return nil
      }
      // A hole of zeros needs no space; a full disk could not store written zeros.
      guard Platform.setLength(archive, to: bytes + TarEntry.end) else { throw failure(Platform.lastError) }
      // Before the rename: after a power loss a name must not lead to an empty file.
      for file in [index, archive] where !Platform.synchronize(file) { throw failure(Platform.lastError) }
      let statisticsFailure = writeStatistics()
      try folder.publish(name)
      return (staged, statisticsFailure)
    } catch {
      folder.remove(name)
      throw LoadError(
        error.kind, "\(error.message); \(samples) samples are lost; run the command again",
        isRetryable: error.isRetryable)
    }
  }

  /// Returns the error if the statistics cannot be written.
  private func writeStatistics() -> LoadError? {
    let json = statistics.json(archive: name + ".tar", bytes: bytes + TarEntry.end)
    var error = Platform.write(json.span, to: statisticsFile)
    if error == 0, !Platform.synchronize(statisticsFile) { error = Platform.lastError }
    if error == 0 { return nil }
    folder.removeStatistics(name)
    return .cannotWrite("\(folder.path)/\(name).stats.json", because: error)
      .appending("; \(folder.path)/\(name).tar is complete, but has no statistics")
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(LoadError) {
    let error = Platform.write(bytes.span, to: file)
    guard error == 0 else { throw failure(error) }
  }

  private func failure(_ error: Int32) -> LoadError {
    .cannotWrite("\(folder.path)/\(name).tar", because: error)
  }
}
