package import Cellophane

/// The destination of archives that a ``ShardFolder`` only stages.
package protocol ShardDestination: Sendable {
  /// Waits until there is room for another sample.
  ///
  /// - Throws: The error that ended the transfer of an archive.
  func admit() async throws(LoadError)

  /// The numbers that are known to be taken at the destination.
  var takenNumbers: Set<Int> { get }

  /// Claims the number of an archive. The archive exists in the folder and is locked. Returns false if the number is
  /// taken at the destination; it is then one of ``takenNumbers``.
  func claim(_ number: Int) async throws(LoadError) -> Bool

  /// Takes over a complete archive.
  func take(_ archive: StagedArchive)

  /// Waits until all archives have arrived.
  ///
  /// - Throws: The error that ended the transfer of an archive.
  func finish() async throws(LoadError)
}

/// A complete archive in a folder from which it is sent to its destination. This object holds its lock.
package final class StagedArchive: Sendable {
  /// The number of the archive, with at least six digits.
  let name: String
  /// The path of the folder.
  let folder: String
  /// The descriptor of the archive.
  let file: Int32
  let size: Int

  init(name: String, folder: String, file: Int32, size: Int) {
    (self.name, self.folder, self.file, self.size) = (name, folder, file, size)
  }

  deinit { Platform.close(file) }

  var path: String { folder + "/" + name + ".tar" }
  var indexPath: String { folder + "/" + name + ".jsonl" }
  var statisticsPath: String { folder + "/" + name + ".stats.json" }
  /// The path of the state of its transfer.
  var statePath: String { folder + "/" + name + ".upload" }

  /// Removes the archive, its index, its statistics and the state of its transfer. The archive is first: without it, the others are
  /// leftovers.
  func remove() {
    for path in [path, indexPath, statisticsPath, statePath] { Platform.remove(path) }
  }
}
