internal import Cellophane
internal import CellophaneBatch

/// An archive in the making, and its index, under names that nobody takes for them. Its process holds a lock on it, by
/// which others see that it is alive.
struct ShardFile {
  /// Its number, in six digits or more.
  let name: String
  /// The length of the archive in bytes, without its end.
  private(set) var bytes = 0
  private(set) var samples = 0
  private let folder: ShardNumbers
  private let archive: Int32
  private let index: Int32
  private var indexBytes = 0

  init(name: String, in folder: ShardNumbers, archive: Int32, index: Int32) {
    (self.name, self.folder, self.archive, self.index) = (name, folder, archive, index)
  }

  /// Writes all of a sample, or nothing.
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
  }

  /// Puts both in their places, and closes them; removes what has no sample.
  ///
  /// - Throws: ``LoadError/Kind/io`` when that is not possible; its samples are lost.
  func finish() throws(LoadError) {
    defer {
      // The lock goes last.
      Platform.close(index)
      Platform.close(archive)
    }
    do throws(LoadError) {
      guard samples > 0 else { return folder.remove(name) }
      // Zeros that take no room: a disk that is full has none for what is written.
      guard Platform.setLength(archive, to: bytes + TarEntry.end) else { throw failure(Platform.lastError) }
      // A name for what a loss of power makes empty would say what is not so.
      for file in [index, archive] where !Platform.settle(file) { throw failure(Platform.lastError) }
      try folder.publish(name)
    } catch {
      folder.remove(name)
      throw LoadError(
        error.kind, "\(error.message); \(samples) samples are lost: run it again",
        isRetryable: error.isRetryable)
    }
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws(LoadError) {
    let error = Output.write(bytes.span, to: file)
    guard error == 0 else { throw failure(error) }
  }

  private func failure(_ error: Int32) -> LoadError {
    .cannotWrite("\(folder.path)/\(name).tar", because: error)
  }
}
