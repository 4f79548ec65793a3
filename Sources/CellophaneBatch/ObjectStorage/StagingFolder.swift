package import Cellophane

/// The local directory in which the archives of one location are staged. Processes with the same location share it.
package struct StagingFolder: Sendable {
  package let path: String
  /// A random text that identifies the directory in claims.
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
      if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
      let id = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
      try FileIO.replace(file, with: Array(id.utf8), by: file + ".new")
      return id
    }
  }
}
