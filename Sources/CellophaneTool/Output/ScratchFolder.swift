internal import Cellophane
internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A directory of this process within another, for files that are being written. A lock tells others that its process
/// lives; what a killed one leaves behind is removed by the next.
final class ScratchFolder: Sendable {
  private let folder: String
  /// Where those of all processes are, so that none looks through a folder of millions.
  private let shared: String
  private let path: String
  /// The open directory; nil until it is needed.
  private let claim = Mutex<Int32?>(nil)
  private let count = Atomic<Int>(0)

  /// Removes what others left behind in `folder`, as far as that is possible.
  init(in folder: String) {
    self.folder = folder
    shared = folder + "/.cellophane"
    path = shared + "/" + String(UInt64.random(in: .min ... .max), radix: 16)
    try? Platform.alone(in: folder) { removeRemains() }
  }

  deinit {
    if let descriptor = claim.withLock(\.self) { Platform.close(descriptor) }
  }

  /// Where the next file is written.
  ///
  /// - Throws: ``LoadError/Kind/io`` when there is no place for files.
  func next() throws(LoadError) -> String {
    try claim.withLock { claim throws(LoadError) in
      if claim == nil { claim = try make() }
    }
    return path + "/\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  /// Removes it, and whatever is in it.
  func remove() {
    try? Platform.alone(in: folder) {
      try? FileManager.default.removeItem(atPath: path)
      Platform.removeDirectory(shared)
    }
  }

  private func make() throws(LoadError) -> Int32 {
    // Nobody else looks while it has no lock yet.
    try Platform.alone(in: folder) { () throws(LoadError) in
      try FileOutput.makeDirectory(path)
      let directory = Platform.openDirectory(path)
      guard directory >= 0, Platform.lock(directory, waits: false) else {
        throw LoadError(.io, "cannot use the directory \(path): \(Platform.reason(Platform.lastError))")
      }
      return directory
    }
  }

  private func removeRemains() {
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
