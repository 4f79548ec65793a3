public import Cellophane
internal import Synchronization

extension MemoryFileSystem: FileSystem {
  /// Makes a directory, whether or not there is one above it.
  public func makeDirectory(at path: String) throws(FileSystemError) {
    try perform("make the directory", path) { state, _ throws(FileSystemError) in
      if state.nodes[path] == nil {
        state.nodes[path] = MemoryFileTree.Node(modified: state.now, isDirectory: true)
      }
    }
  }

  /// The contents; a failure does not mark the file as used.
  public func use(_ path: String, atMost limit: Int) throws(FileSystemError) -> [UInt8] {
    try perform("read", path) { state, _ throws(FileSystemError) in
      let bytes = try state.file(path, for: "read").bytes
      guard bytes.count <= limit else { throw FileSystemError(.tooLarge, operation: "read", path: path) }
      state.nodes[path]?.modified = state.now
      return bytes
    }
  }

  /// The end of the contents.
  public func end(of path: String, count: Int) throws(FileSystemError) -> [UInt8] {
    try perform("read", path) { state, _ throws(FileSystemError) in
      Array(try state.file(path, for: "read").bytes.suffix(count))
    }
  }

  /// Creates a file of zeros; the names count up.
  public func createTemporary(prefix: String, size: Int) throws(FileSystemError) -> String {
    try perform("create", prefix) { state, _ throws(FileSystemError) in
      state.temporaries += 1
      let path = prefix + String(state.temporaries, radix: 16)
      try state.requireParent(of: path, for: "create")
      state.nodes[path] = MemoryFileTree.Node(bytes: [UInt8](repeating: 0, count: size), modified: state.now)
      return path
    }
  }

  /// Writes over the start of a file: all of it, or half of it and then fails.
  public func write(_ parts: [[UInt8]], to path: String) throws(FileSystemError) {
    try perform("write", path) { state, share throws(FileSystemError) in
      let old = try state.file(path, for: "write").bytes
      var new: [UInt8] = []
      for part in parts { new += part }
      new.removeLast(new.count - share.of(new.count))
      new += old.dropFirst(new.count)
      state.nodes[path] = MemoryFileTree.Node(bytes: new, modified: state.now)
      state.lastWritten = path
    }
  }

  /// Moves a file; never half-way.
  public func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try perform("rename", path) { state, _ throws(FileSystemError) in
      let node = try state.file(path, for: "rename")
      if state.nodes[newPath]?.isDirectory == true {
        throw FileSystemError(.notAFile, operation: "rename", path: path)
      }
      state.nodes[path] = nil
      state.nodes[newPath] = node
      if state.lastWritten == path { state.lastWritten = newPath }
    }
  }

  /// Removes a file or a directory.
  public func remove(_ path: String) throws(FileSystemError) {
    try perform("remove", path) { state, _ throws(FileSystemError) in
      guard state.nodes.removeValue(forKey: path) != nil else {
        throw FileSystemError(.notFound, operation: "remove", path: path)
      }
    }
  }

  /// The names in a directory, sorted.
  public func list(_ directory: String) throws(FileSystemError) -> [FileEntry] {
    try perform("list", directory) { state, _ throws(FileSystemError) in
      guard state.nodes[directory]?.isDirectory == true else {
        throw FileSystemError(.notFound, operation: "list", path: directory)
      }
      let prefix = directory + "/"
      return state.nodes.filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }.map { path, node in
        FileEntry(
          name: String(path.dropFirst(prefix.count)), size: node.bytes.count, age: state.now - node.modified,
          isRegular: !node.isDirectory)
      }
    }
  }

  /// Two operations: taking the lock, and replacing the contents, which may stop half-way.
  public func withLock<R: Sendable>(
    _ path: String,
    _ body: (
      _ contents: [UInt8], _ replace: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) -> R
  ) throws(FileSystemError) -> R {
    try lock.withLock { _ throws(FileSystemError) in
      let contents = try perform("lock", path) { state, _ throws(FileSystemError) in
        try state.requireParent(of: path, for: "lock")
        if state.nodes[path] == nil { state.nodes[path] = MemoryFileTree.Node(modified: state.now) }
        return Array(try state.file(path, for: "lock").bytes.prefix(64))
      }
      return try body(contents) { bytes throws(FileSystemError) in
        try perform("write", path) { state, share throws(FileSystemError) in
          state.nodes[path] = MemoryFileTree.Node(
            bytes: Array(bytes.prefix(share.of(bytes.count))), modified: state.now)
          state.lastWritten = path
        }
      }
    }
  }
}
