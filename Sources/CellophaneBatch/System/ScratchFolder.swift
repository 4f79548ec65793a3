internal import Cellophane
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A temporary directory of this process within an output folder.
///
/// A lock shows other processes that its owner is alive. The directory of a killed process is removed by the next one.
final class ScratchFolder: Sendable {
  private let folder: String
  /// The parent of the temporary directories of all processes. Thus no process has to search a folder of millions of files.
  private let shared: String
  private let path: String
  /// The locked descriptor of the directory; nil before its first use.
  private let lock = Mutex<Int32?>(nil)
  private let count = Atomic<Int>(0)

  /// Removes the directories of killed processes in `folder`. Errors are ignored.
  init(in folder: String) {
    self.folder = folder
    shared = folder + "/.cellophane"
    path = shared + "/" + String(UInt64.random(in: .min ... .max), radix: 16)
    try? Platform.withLock(on: folder) { removeLeftovers() }
  }

  deinit {
    if let descriptor = lock.withLock(\.self) { Platform.close(descriptor) }
  }

  /// Returns the path of the next temporary file.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the directory cannot be created.
  func next() throws(LoadError) -> String {
    try lock.withLock { descriptor throws(LoadError) in
      if descriptor == nil { descriptor = try create() }
    }
    return path + "/\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Removes the directory and its files.
  func remove() {
    try? Platform.withLock(on: folder) {
      try? FileManager.default.removeItem(atPath: path)
      Platform.removeDirectory(shared)
    }
  }

  private func create() throws(LoadError) -> Int32 {
    // Under the lock on the folder, no other process sees the directory before it is locked.
    try Platform.withLock(on: folder) { () throws(LoadError) in
      try FileIO.makeDirectory(path)
      let directory = Platform.openDirectory(path)
      guard directory >= 0, Platform.lock(directory, waits: false) else {
        throw LoadError(.io, "cannot use the directory \(path): \(Platform.reason(Platform.lastError))")
      }
      return directory
    }
  }

  private func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: shared)) ?? [] {
      let directory = Platform.openDirectory(shared + "/" + name)
      guard directory >= 0 else { continue }
      if Platform.lock(directory, waits: false) {
        try? FileManager.default.removeItem(atPath: shared + "/" + name)
      }
      Platform.close(directory)
    }
    Platform.removeDirectory(shared)
  }
}
