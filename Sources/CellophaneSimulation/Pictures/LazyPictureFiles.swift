internal import Cellophane
internal import Synchronization

/// The files of generated images. Each is generated at its first request, unless ``generate()`` did it before.
final class LazyPictureFiles: Sendable {
  private let count: Int
  private let contents: ListContents
  private let seed: UInt64
  private let files = Mutex<[Int: [UInt8]]>([:])

  /// Creates the files of the first `count` images of `configuration`.
  init(_ count: Int, of configuration: SimulationConfiguration) {
    self.count = count
    contents = ListContents(configuration.list, seed: configuration.seed)
    seed = configuration.seed
  }

  /// The mean size of a file, in bytes.
  var meanBytes: Int { count == 0 ? 0 : (0..<count).reduce(0) { $0 + contents.fileBytes(of: $1) } / count }

  /// Returns the file of `picture`; nil if there is no such image, or if it cannot be encoded.
  func file(of picture: Int) -> [UInt8]? {
    (0..<count).contains(picture) ? try? generated(picture) : nil
  }

  /// Generates all files on all cores.
  ///
  /// - Throws: ``LoadError`` if an image of this size cannot be encoded; ``LoadError/cancelled``.
  func generate() async throws(LoadError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for picture in 0..<count {
          group.addTask {
            try Task.checkCancellation()
            _ = try self.generated(picture)
          }
        }
        try await group.waitForAll()
      }
    } catch let error as LoadError {
      throw error
    } catch {
      throw .cancelled
    }
  }

  /// Returns the file of `picture` and keeps it. Two concurrent calls may generate the same bytes, without a lock.
  private func generated(_ picture: Int) throws(LoadError) -> [UInt8] {
    if let file = files.withLock({ $0[picture] }) { return file }
    let file = try PictureFiles.file(of: picture, in: contents, seed: seed)
    files.withLock { $0[picture] = file }
    return file
  }
}
