internal import Synchronization

extension DiskCache {
  /// Returns the complete file called `name`, or nil. Marks it as used. A file above the limit was written
  /// under another limit and is left to eviction.
  nonisolated func contents(of name: String) async -> [UInt8]? {
    do throws(FileSystemError) {
      let contents = try await read(name)
      noteUse(of: name, dated: contents.used)
      return contents.bytes
    } catch {
      switch error.kind {
      case .notFound, .tooLarge: break
      case .notAFile: await removeCorrupt(name)
      default: count(error)
      }
      return nil
    }
  }

  private nonisolated func read(_ name: String) async throws(FileSystemError) -> FileContents {
    let maxBytes = min(limit, Self.largestUncheckedRead)
    if let contents = shared.withLock({ $0.directory })?.readCached(name, atMost: maxBytes) {
      return contents
    }
    // The first digits of the name are those of a hash.
    let queue = readers[Int(name.utf8.first ?? 0) % readers.count]
    return try await queue.run { () throws(FileSystemError) in
      let directory = try self.openDirectory(creating: false)
      do throws(FileSystemError) {
        return try self.read(name, in: directory)
      } catch {
        // The file is missing, but this may no longer be the directory at the path.
        guard error.kind == .notFound, !directory.isInPlace else { throw error }
        self.forget(directory)
        return try self.read(name, in: self.openDirectory(creating: false))
      }
    }
  }

  /// Reads a file; blocks. A file above ``largestUncheckedRead`` is read only if its trailer confirms its
  /// length, so that a false length allocates no memory.
  private nonisolated func read(
    _ name: String, in directory: any FileDirectory
  ) throws(FileSystemError) -> FileContents {
    do throws(FileSystemError) {
      return try directory.read(name, atMost: min(limit, Self.largestUncheckedRead))
    } catch {
      guard error.kind == .tooLarge, limit > Self.largestUncheckedRead else { throw error }
    }
    let file = try directory.open(name)
    guard file.size <= limit else { throw FileSystemError(.tooLarge, operation: "read", path: name) }
    let isEntry = Entry.footerLength(of: try file.end(Entry.trailerLength), fileSize: file.size) != nil
    return FileContents(bytes: isEntry ? try file.read(file.size, at: 0) : [], used: file.used)
  }

  /// The largest file that is read before its trailer is checked. 16 MB covers nearly all images, and
  /// allocating it in vain is harmless.
  private static var largestUncheckedRead: Int { 16 << 20 }
}
