internal import Cellophane
internal import Synchronization

/// The files of generated images. Each is generated at its first request, unless ``generate()`` did it before.
final class LazyPictureFiles: Sendable {
  private let pictures: Set<Int>
  private let contents: ListContents
  private let seed: UInt64
  private let files = Mutex<[Int: [UInt8]]>([:])

  /// Creates the files of `pictures` of `configuration`.
  init(_ pictures: some Sequence<Int>, of configuration: SimulationConfiguration) {
    self.pictures = Set(pictures)
    contents = ListContents(configuration.list, seed: configuration.seed)
    seed = configuration.seed
  }

  /// The mean size of a file, in bytes.
  var meanBytes: Int {
    pictures.isEmpty ? 0 : pictures.reduce(0) { $0 + contents.fileBytes(of: $1) } / pictures.count
  }

  /// Returns the file of `picture`; nil if there is no such image.
  ///
  /// - Throws: ``LoadError`` if the image cannot be encoded, or not in so few bytes.
  func file(of picture: Int) throws(LoadError) -> [UInt8]? {
    pictures.contains(picture) ? try generated(picture) : nil
  }

  /// Generates all files on all cores. Each file has as many bytes as in ``ModeledPictures``.
  ///
  /// - Throws: ``LoadError`` if an image of this size cannot be encoded, or not in so few bytes;
  ///   ``LoadError/cancelled``.
  func generate() async throws(LoadError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for picture in pictures.sorted() {
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
