package import Cellophane

extension DiskCache {
  /// Returns a cache over files in memory, in which a test can inject faults.
  ///
  /// Two caches with equal `files` and `directory` share their entries, like two processes or a process and its restart.
  ///
  /// - Parameters:
  ///   - files: The files of the cache; see ``MemoryFileSystem/inject(_:)``.
  ///   - limit: The maximum number of bytes of the files.
  ///   - executor: The executor of all file operations, such as ``VirtualTime/lane()``; nil for the cache's own queues.
  ///   - timeline: The source of the date.
  package static func inMemory(
    _ files: MemoryFileSystem = MemoryFileSystem(), directory: String = "/cache", limit: Int = defaultLimit,
    executor: (any SerialExecutor)? = nil, timeline: Timeline = Timeline()
  ) -> DiskCache {
    DiskCache(
      directory: directory, limit: limit, fileSystem: files, executor: executor, timeline: timeline)
  }
}
