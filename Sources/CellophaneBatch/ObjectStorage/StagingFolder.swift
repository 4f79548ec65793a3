package import Cellophane

/// The local directory in which the archives of one location are staged. Processes with the same location share it.
package struct StagingFolder: Sendable {
  package let path: String
  /// A random text that identifies the directory in claims. A copy of the directory has another one.
  let id: String

  /// Opens or creates the directory.
  ///
  /// - Parameters:
  ///   - parent: The directory of all staging folders.
  ///   - server: The endpoint and the location, from which the name of the directory results.
  /// - Throws: ``LoadError/Kind/io`` if the directory cannot be used.
  package init(in parent: String, for server: String) throws(LoadError) {
    path = parent + "/" + XXH3.hexadecimal(Array(server.utf8))
    try FileIO.makeDirectory(path)
    let file = path + "/.cellophane-id"
    let path = path
    id = try Platform.withLock(on: path) { () throws(LoadError) in
      var bytes: [UInt8] = []
      if Platform.size(ofFileAt: file) != nil { try FileIO.read(file) { bytes += $0 } }
      // The number of the directory in its file system tells it from a copy.
      let number = Platform.number(ofDirectoryAt: path).map { String($0) } ?? "unknown"
      let stored = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      if stored.count == 2, stored[1] == number { return String(stored[0]) }
      let id = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
      try FileIO.replace(file, with: Array("\(id) \(number)".utf8), by: file + ".new")
      return id
    }
  }
}
