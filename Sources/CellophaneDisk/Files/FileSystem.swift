/// The file operations of the disk cache, as a protocol so that tests can make each of them fail. All calls
/// block, except ``FileDirectory/readCached(_:atMost:)``.
package protocol FileSystem: Sendable {
  /// Opens the directory at `path`, absolute or relative to the process's working directory.
  ///
  /// - Parameter creating: Whether a missing directory and its missing parents are created, with access for
  ///   the owner only.
  /// - Throws: ``FileSystemError/Kind/untrusted`` unless the directory belongs to this user and no other user
  ///   can write to it.
  func directory(at path: String, creating: Bool) throws(FileSystemError) -> any FileDirectory
}

/// An open directory. Names are those of files directly in it. No operation follows a symbolic link.
package protocol FileDirectory: AnyObject, Sendable {
  /// The time since 1970 by the clock that sets file dates.
  var now: Duration { get }

  /// True while the path leads to this directory; false after it was deleted, moved or replaced.
  var isInPlace: Bool { get }

  /// Returns the complete contents of a regular file. Does not change its time of use.
  ///
  /// - Throws: ``FileSystemError/Kind/tooLarge`` for a file above `limit` bytes, before any allocation;
  ///   ``FileSystemError/Kind/notAFile`` for a directory, link or device.
  func read(_ name: String, atMost limit: Int) throws(FileSystemError) -> FileContents

  /// Returns the same as ``read(_:atMost:)`` without blocking; nil if that requires the device, or on any
  /// error. An implementation may always return nil.
  func readCached(_ name: String, atMost limit: Int) -> FileContents?

  /// Opens a regular file for reading parts of it. Does not change its time of use.
  ///
  /// - Throws: ``FileSystemError/Kind/notAFile`` for a directory, link or device.
  func open(_ name: String) throws(FileSystemError) -> any OpenFile

  /// Returns the attributes of the file called `name`.
  func entry(_ name: String) throws(FileSystemError) -> FileEntry

  /// Creates a file with access for the owner only and writes `parts` in order. A failure may leave a partial
  /// file.
  func create(_ name: String, _ parts: [[UInt8]]) throws(FileSystemError)

  /// Renames a file and replaces an existing file of the new name. Another process sees one of the two files
  /// or, for an instant, none, but never a partial file.
  ///
  /// - Returns: The length of the replaced file; nil if there was none or if it is unknown.
  func rename(_ name: String, to newName: String) throws(FileSystemError) -> Int?

  /// Removes a file, a link or an empty directory.
  func remove(_ name: String) throws(FileSystemError)

  /// Sets the time of the last use of a file.
  func setUsed(_ name: String, at time: Duration) throws(FileSystemError)

  /// Starts listing the directory.
  func list() throws(FileSystemError) -> any FileListing

  /// Runs `body` with exclusive access to the lock file `name`, among all processes and threads. `body`
  /// receives the first 64 bytes of the file and a function that replaces its contents.
  ///
  /// - Parameters:
  ///   - creating: Whether a missing file is created.
  ///   - waits: Whether to wait up to 50 ms while the lock is held.
  /// - Throws: ``FileSystemError/Kind/busy`` if the lock is held.
  func withLock<R: Sendable>(
    _ name: String, creating: Bool, waits: Bool,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R

  /// Locks the file `name` for the lifetime of the claim, at most until the process ends; nil if it is locked
  /// already.
  ///
  /// - Parameter creating: Whether a missing file is created.
  func claim(_ name: String, creating: Bool) throws(FileSystemError) -> (any FileClaim)?
}

/// A file opened for reading. It stays the same file even if another one takes its name.
package protocol OpenFile: AnyObject {
  /// The length in bytes when the file was opened.
  var size: Int { get }

  /// The time of the last write or use when the file was opened, since 1970.
  var used: Duration { get }

  /// Returns `count` bytes from `offset`; fewer at the end of the file.
  func read(_ count: Int, at offset: Int) throws(FileSystemError) -> [UInt8]
}

extension OpenFile {
  /// Returns the last `count` bytes, or all bytes of a shorter file.
  package func end(_ count: Int) throws(FileSystemError) -> [UInt8] {
    try read(min(size, count), at: max(0, size - count))
  }
}

/// A file locked by one holder.
package protocol FileClaim: AnyObject, Sendable {
  /// Replaces the contents of the file.
  ///
  /// - Throws: ``FileSystemError/Kind/notFound`` if the file was removed.
  func replace(with contents: [UInt8]) throws(FileSystemError)
}

/// A listing of a directory in progress.
package protocol FileListing: AnyObject {
  /// Returns about `count` further names in any order, without `.` and `..`; empty at the end. A name that is
  /// added or removed during the listing may or may not be included.
  func next(_ count: Int) throws(FileSystemError) -> [FileEntry]
}

/// The attributes of one file in a directory.
package struct FileEntry: Hashable, Sendable {
  /// The name.
  package var name: String
  /// The length in bytes.
  package var size: Int
  /// The time of the last write or use, since 1970.
  package var used: Duration
  /// False for directories, links and devices, for files of other users, and for files with several hard
  /// links.
  package var isRegular: Bool

  /// Creates an entry.
  package init(name: String, size: Int, used: Duration, isRegular: Bool = true) {
    self.name = name
    self.size = size
    self.used = used
    self.isRegular = isRegular
  }
}

/// The contents of a file.
package struct FileContents: Sendable {
  /// All bytes of the file.
  package var bytes: [UInt8]
  /// The time of the last write or use, since 1970.
  package var used: Duration

  /// Creates contents.
  package init(bytes: [UInt8], used: Duration) {
    self.bytes = bytes
    self.used = used
  }
}
